/** What UDFs are told: coordinates, slices, partitions, facts of the data. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { zeroArray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Method } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const META = import.meta.resolve("./meta_udf.ts");
const [NAV, SIG] = [[6, 10], [2, 64, 128]] as const;
const FRAMES = 60;
const SAMPLES = counts(FRAMES * 16384, 3);
const scan = (syncOffset = 0) => memoryScan(SAMPLES, NAV, SIG, "uint16", { syncOffset, images: FRAMES });

for (const method of ["tile", "frame", "partition"] as const) {
  for (const syncOffset of [0, 7, -7]) {
    for (const holes of [false, true]) {
      const what = `${method}, sync offset ${syncOffset}, ${holes ? "region" : "all"}`;
      both(`coordinates, rows and slices: ${what}`, (context) => check(method, syncOffset, holes, context));
    }
  }
}

async function check(
  method: Method,
  syncOffset: number,
  holes: boolean,
  context: Parameters<Parameters<typeof both>[1]>[0],
) {
  const mask = Uint8Array.from(
    { length: FRAMES },
    (_, i) => holes && (i % 4 === 1 || i > 40 && i < 48) ? 0 : 1,
  );
  const ref = udf(META, { export: "whereabouts", params: { method, depth: 3 } });
  const options = { context, partitions: 4, ...(holes ? { roi: mask } : {}) };
  const job = await plan(scan(syncOffset), { it: ref }, options);
  assertEquals(job.udfs[0]!.method, method);
  const { it } = await run(job);
  const [where, row, parts, partition] = ["where", "row", "parts", "partition"].map((name) =>
    numbers(it![name]!.data)
  );
  const slices = method === "tile" ? job.scheme.slices.length : 1;
  if (method === "tile") assertEquals(slices > 1, true, "the scheme cuts frames");
  let rank = 0;
  for (let i = 0; i < FRAMES; i++) {
    if (!mask[i]) continue;
    const seen = i + syncOffset >= 0 && i + syncOffset < FRAMES;
    if (seen) {
      assertEquals(where!.slice(2 * i, 2 * i + 2), [Math.floor(i / 10), i % 10]);
      assertEquals([row![i], parts![i]], [rank, slices]);
      const { start, stop } = job.partitions.find(({ start, stop }) => start <= i && i < stop)!;
      const members = [...mask.keys()].filter((p) =>
        mask[p] && p >= start && p < stop && p + syncOffset >= 0 && p + syncOffset < FRAMES
      );
      const before = mask.subarray(0, members[0]).reduce((n, on) => n + on, 0);
      assertEquals(partition!.slice(2 * i, 2 * i + 2), [before, members.length]);
    } else assertEquals(parts![i], 0);
    rank++;
  }
}

both("facts of the data reach the worker", async (context) => {
  const ref = udf(META, { export: "facts" });
  const { it } = await run(await plan(goldenScan(), { it: ref }, { context, roi: [[0, 1], [2, 3]] }));
  assertEquals(numbers(it!.facts!.data).slice(6, 12), [12, 20, 2, 2, 1, 0]);
  const dark = zeroArray([4, 5], "float32");
  const corrected = await run(await plan(goldenScan(), { it: ref }, { context, corrections: { dark } }));
  assertEquals(numbers(corrected.it!.facts!.data).slice(0, 6), [12, 20, 12, 12, -1, 1]);
});

Deno.test("a method that cannot run is refused with what would work", async () => {
  await using context = createContext({ workers: 0 });
  const ask = (method: unknown) => () =>
    plan(goldenScan(), {
      it: udf({
        name: "odd",
        buffers: { x: { kind: "nav" } },
        method: () => method as Method,
        processFrame() {},
        processTile() {},
      }),
    }, { context });
  const missing = await assertRejects(ask("partition"), TilewiseError);
  assertEquals(missing.code, "udf");
  assertStringIncludes(missing.message, "no processPartition(); it has processTile, processFrame");
  const unknown = await assertRejects(ask("pixel"), TilewiseError);
  assertStringIncludes(unknown.message, "must be one of tile, frame, partition");
});
