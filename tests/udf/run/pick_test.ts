/** Picked frames are the stored ones, in the order of the scan. */

import { assertEquals } from "@std/assert";
import { type DType, DTYPES } from "../../../src/space/dtype.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { memoryScan, type ScanOptions } from "../data.ts";

const [NAV, SIG] = [[3, 4], [2, 5]] as const;

function scanOf(dtype: DType, options?: ScanOptions) {
  const units = dtype.startsWith("complex") ? 2 : 1;
  const values = Array.from({ length: 120 * units }, (_, i) => dtype === "bool" ? i % 2 : i % 120);
  const stored = dtype.endsWith("int64") ? values.map(BigInt) as never : values;
  return { values, units, scan: memoryScan(stored, NAV, SIG, dtype, options) };
}

async function pick(scan: ReturnType<typeof memoryScan>, how: PlanOptions = {}) {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  return (await run(await plan(scan, { it: pickFrames() }, { context, ...how }))).it!.intensity!;
}

for (const dtype of DTYPES) {
  Deno.test(`${dtype}: frames keep their type and values, in the order of the scan`, async () => {
    for (const order of ["little", "big"] as const) {
      const { values, units, scan } = scanOf(dtype, { order });
      const frame = (n: number) => values.slice(10 * units * n, 10 * units * (n + 1));
      for (const tileBytes of [1 << 20, 16]) {
        const found = await pick(scan, { roi: [[2, 1], [0, 3], [1, 0]], tileBytes });
        assertEquals([found.dtype, found.shape], [dtype, [3, ...SIG]]);
        assertEquals(Array.from(found.data, Number), [3, 4, 9].flatMap(frame));
      }
      const all = await pick(scan);
      assertEquals([all.shape, Array.from(all.data, Number)], [[...NAV, ...SIG], values]);
    }
  });
}

Deno.test("a frame that does not exist is marked, and looks measured in no type that has NaN", async () => {
  const { scan } = scanOf("float32", { syncOffset: -1, images: 12 });
  const found = await pick(scan, { roi: [[0, 0], [0, 1]] });
  assertEquals([...found.valid!], [0, 1]);
  assertEquals(Array.from(found.data, Number), [...Array(10).fill(NaN), ...Array(10).keys()]);
  const { scan: whole } = scanOf("int16", { syncOffset: -1, images: 12 });
  assertEquals(Array.from((await pick(whole)).data.subarray(0, 10), Number), Array(10).fill(0));
});

Deno.test("more than 256 MiB of frames is worth a warning", async () => {
  await using context = createContext({ memory: 2 ** 30, workers: 0 });
  const scan = memoryScan(new Uint8Array(1), [70], [2048, 2048], "uint8", { images: 0 });
  const large = await plan(scan, { it: pickFrames() }, { context });
  assertEquals(large.warnings, [
    "pick_frames copies 70 frames, 280 MiB in all; a region of interest selects fewer",
  ]);
  assertEquals(large.explain().includes("280 MiB in all"), true);
  const some = await plan(scan, { it: pickFrames() }, { context, roi: [[3]] });
  assertEquals(some.warnings, []);
});

Deno.test("frames of three dimensions, in tiles that are boxes with holes", async () => {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const other: Udf<Record<"n", DType>> = {
    name: "other",
    buffers: { n: { kind: "nav", dtype: "float64" } },
    tiling: { depth: 2, totalBytes: 8192 },
    processTile: ({ frames, pixels }, { n }) => {
      for (let f = 0; f < frames; f++) n[f] = Number(n[f]) + pixels;
    },
  };
  const values = Float64Array.from({ length: 3 * 7 * 64 * 128 }, (_, i) => i % 251);
  const scan = memoryScan(values, [3], [7, 64, 128], "uint8");
  const planned = await plan(scan, { pick: pickFrames(), other: udf(other) }, { context });
  assertEquals(planned.scheme.tileShape, [1, 7, 18, 128]);
  const { intensity } = (await run(planned)).pick!;
  assertEquals(intensity!.data, Uint8Array.from(values));
});
