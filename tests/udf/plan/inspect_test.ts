/** What a UDF declares can be had without a run, and is what the run then gives. */

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { open } from "../../../src/formats/open.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { inspect } from "../../../src/udf/plan/inspect.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { dryRun } from "../../../src/udf/results/dry_run.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { goldenScan } from "../data.ts";

const UDFS = {
  com: centreOfMass(),
  masks: applyMasks({ masks: [{ cy: 1, cx: 1, ro: 1 }, { cy: 2, cx: 2, ro: 2 }] }),
  sd: standardDeviation(),
  pick: pickFrames(),
};

Deno.test("kind, dtype, shape, use and bytes of every buffer of every UDF, as in the results of a run", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const byDType: Udf<Record<"x" | "hidden", DType>> = {
    name: "by-dtype",
    buffers: ({ datasetDType, selected }) => ({
      x: { kind: "single", dtype: datasetDType, extraShape: [selected, 2] },
      hidden: { kind: "nav", dtype: "complex128", use: "private", compressed: true },
    }),
    processFrame: () => {},
    merge: () => {},
  };
  const udfs = { ...UDFS, own: udf(byDType) };
  const roi = [[0, 0], [2, 3], [1, 1]];
  const info = await inspect(goldenScan(), udfs, { roi });
  const job = await plan(goldenScan(), udfs, { roi, context });
  for (const results of [dryRun(job), await run(job)] as Results[]) {
    for (const key of Object.keys(udfs) as (keyof typeof udfs)[]) {
      const visible = Object.entries(info[key]).filter(([, { use }]) => use !== "private");
      assertEquals(Object.keys(results[key]!), visible.map(([name]) => name));
      for (const [name, { shape, dtype, bytes }] of visible) {
        const found = results[key]![name]!;
        assertEquals(
          [shape, dtype, bytes],
          [found.shape, found.dtype, found.data.byteLength],
          `${key}.${name}`,
        );
      }
    }
  }
  assertEquals(info.own.x, { kind: "single", dtype: "uint16", shape: [3, 2], use: "both", bytes: 12 });
  assertEquals(info.own.hidden, { kind: "nav", dtype: "complex128", shape: [3], use: "private", bytes: 48 });
  assertEquals(info.com.sums!.use, "private");
});

Deno.test("one UDF gives its buffers at once; what cannot be planned cannot be inspected", async () => {
  const { intensity } = await inspect(goldenScan("uint8"), sumPixels());
  assertEquals(intensity!.shape, [3, 4]);
  const missing = udf(import.meta.resolve("../own_udf.ts"), { export: "missing" });
  await assertRejects(() => inspect(goldenScan(), missing), TilewiseError, "no export");
  await assertRejects(
    () => inspect(goldenScan(), sumPixels(), { roi: [[9, 9]] }),
    TilewiseError,
    "not in a scan",
  );
  await assertRejects(() => inspect(goldenScan(), {}), TilewiseError, "without a UDF");
});

Deno.test("what is inspected may have results of any size, but nothing is made beyond the budget of its context", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const scan = await open(new Uint8Array(64), {
    format: "raw",
    dtype: "uint8",
    nav: [2 ** 26, 4],
    sig: [4, 4],
  });
  const { intensity } = await inspect(scan, sumPixels(), { context });
  assertEquals(intensity!.bytes, 2 ** 31);
  for (
    const refused of [
      () => inspect(scan, sumPixels(), { context, roi: { range: ":,0" } }),
      () => inspect(scan, radialFourier({ bins: 1e6 }), { context }),
    ]
  ) {
    const { code } = await assertRejects(refused, TilewiseError);
    assertEquals(code, "over-budget");
  }
});
