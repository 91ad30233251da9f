/** The same computation by tile, by frame and by partition, with holes between the pixels of a tile; dry runs. */

import { assert, assertEquals } from "@std/assert";
import { RunContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { isContiguous } from "../../../src/space/box.ts";
import { both } from "../both.ts";
import { counts, memoryScan, numbers } from "../data.ts";
import { SAMPLES, scanOf } from "../builtin/every_builtin.ts";

const MODULE = import.meta.resolve("./variants_udf.ts");
const [NAV, SIG, FRAMES, PIXELS] = [[6, 11], [2, 64, 128], 66, 16384] as const;
const VALUES = counts(FRAMES * PIXELS, 8);

both(
  "by tile, by frame and by partition: what plain loops give, on tiles with holes, too",
  async (context) => {
    const mask = Uint8Array.from({ length: FRAMES }, (_, i) => i % 5 === 2 || i > 40 && i < 48 ? 0 : 1);
    for (const roi of [undefined, mask]) {
      const total = new Array(FRAMES).fill(NaN), image = new Array(PIXELS).fill(0);
      let most = 0;
      for (let f = 0; f < FRAMES; f++) {
        if (roi && !roi[f]) continue;
        total[f] = 0;
        for (let p = 0; p < PIXELS; p++) {
          const value = VALUES[f * PIXELS + p]!;
          total[f] += value;
          image[p] += value;
          most = Math.max(most, value);
        }
      }
      for (const method of ["tile", "frame", "partition"] as const) {
        for (const depth of [1, 7]) {
          const scan = memoryScan(VALUES, NAV, SIG, "uint16", { order: "big" });
          const ref = udf(MODULE, { params: { method, depth } });
          const job = await plan(scan, { it: ref }, { context, partitions: 3, ...(roi ? { roi } : {}) });
          if (method === "tile") {
            assert(
              job.scheme.slices.some((slice) => !isContiguous(slice, SIG)),
              "no holes",
            );
          }
          const { it } = await run(job);
          assertEquals(numbers(it!.total!.data), total, `${method} ${depth}`);
          assertEquals(numbers(it!.image!.data), image, `${method} ${depth}`);
          assertEquals(numbers(it!.most!.data), [most], `${method} ${depth}`);
        }
      }
    }
  },
);

both(
  "a dry run of every built-in UDF has the names, types and shapes of a run, and nothing valid",
  async (context) => {
    const udfs = Object.fromEntries(
      Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [`${name} ${i}`, ref])),
    );
    for (const roi of [undefined, [[0, 3], [7, 2]]]) {
      const job = await plan(scanOf("uint16"), udfs, { context, ...(roi ? { roi } : {}) });
      const dry = dryRun(job);
      assertEquals(context.used, 0);
      for (const [key, buffers] of Object.entries(await run(job))) {
        assertEquals(Object.keys(dry[key]!), Object.keys(buffers), key);
        assertEquals(Object.keys(objectsOf(dry[key]!)), Object.keys(objectsOf(buffers)), key);
        for (const [name, { dtype, shape }] of Object.entries(buffers)) {
          const found = dry[key]![name]!;
          assertEquals([found.dtype, found.shape], [dtype, shape], `${key} ${name}`);
          assert(!found.valid?.includes(1), `${key} ${name}`);
        }
      }
    }
  },
);

Deno.test("no frame is read, and no worker is started for a dry run", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 2 });
  const seen: number[] = [];
  const own = udf({
    name: "own",
    buffers: { n: { kind: "nav" } },
    processFrame: ({ positions }) => void seen.push(...Array.from(positions)),
  });
  const empty = memoryScan([], NAV, SIG, "uint16", { images: 0 });
  const { it } = dryRun(await plan(empty, { it: own }, { context }));
  assertEquals([seen, it!.n!.shape], [[], NAV]);
});
