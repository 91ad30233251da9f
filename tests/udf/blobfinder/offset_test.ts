/** Frames with a large offset, for which float32 has no room, have the disks that they have without it. */

import { assert, assertEquals } from "@std/assert";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { tapsOf } from "../../../src/udf/builtin/blobfinder/correlate_sparse.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { memoryScan, numbers } from "../data.ts";

const SIDE = 64, PIXELS = SIDE * SIDE;
const PATTERN = blobs.circularPattern({ radius: 3 });
const PEAKS = [[20, 22], [40, 37], [25, 44]];

/** Counts of 0 to 3, and of 40 more in disks near the peaks. */
const COUNTS = Float64Array.from({ length: PIXELS }, (_, i) => {
  const [y, x] = [Math.floor(i / SIDE), i % SIDE];
  const isDisk = PEAKS.some(([cy, cx], p) => Math.hypot(y - cy! - p, x - cx! + 1) <= 3);
  return (i * 2654435761 >>> 0) % 4 + (isDisk ? 40 : 0);
});

const OFFSETS: readonly (readonly [DType, number])[] = [
  ["uint32", 2 ** 32 - 1000],
  ["int32", 2 ** 30],
  ["int32", -(2 ** 31)],
  ["int64", 2 ** 40],
  ["uint64", 2 ** 50],
  ["float64", 1e12],
  ["float64", -1e12],
];

const METHODS: readonly Omit<blobs.CorrelateOptions, "peaks" | "pattern">[] = [
  { method: "fast" },
  { method: "fast", upsample: true },
  { method: "full" },
  { method: "full", upsample: 10 },
  { method: "sparse", steps: 3 },
];

async function compute(
  it: UdfRef,
  values: ArrayLike<number>,
  dtype: DType,
  order: "little" | "big" = "little",
) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const scan = memoryScan(values, [1], [SIDE, SIDE], dtype, { order, frameHeaderBytes: 3 });
  const results = (await run(await plan(scan, { it }, { context }))).it!;
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, numbers(data)]));
}

for (const options of METHODS) {
  Deno.test(`correlation of frames on a large offset finds the same peaks: ${JSON.stringify(options)}`, async () => {
    const it = blobs.correlatePattern({ ...options, pattern: PATTERN, peaks: PEAKS as [number, number][] });
    const expected = await compute(it, COUNTS, "uint16");
    assert(expected.peak_elevations!.every((elevation) => elevation > 0.01));
    for (const [dtype, offset] of OFFSETS) {
      for (const order of ["little", "big"] as const) {
        const found = await compute(it, COUNTS.map((count) => count + offset), dtype, order);
        assertEquals(found, expected, `${dtype} on ${offset}, ${order}`);
      }
    }
  });
}

Deno.test("cut-outs with offsets of their own have their disks beside a bright beam", async () => {
  const it = blobs.correlatePattern({ pattern: PATTERN, peaks: PEAKS as [number, number][] });
  const expected = await compute(it, COUNTS, "uint16");
  const beam = COUNTS.map((count, i) => i % SIDE < 4 ? count : count + 2 ** 30);
  assertEquals(await compute(it, beam, "int32"), expected);
});

Deno.test("a cut-out that leaves the frame counts what is outside as 0", async () => {
  const it = blobs.correlatePattern({ pattern: PATTERN, peaks: [[1, 2], [62, 30]] });
  const expected = await compute(it, COUNTS, "uint16");
  for (const dtype of ["int32", "float64"] as const) assertEquals(await compute(it, COUNTS, dtype), expected);
  const below = await compute(it, COUNTS.map((count) => count - 50), "int16");
  for (const dtype of ["int32", "float64"] as const) {
    assertEquals(await compute(it, COUNTS.map((count) => count - 50), dtype), below);
  }
});

Deno.test("refined lattices on a large offset are the same", async () => {
  const it = blobs.refineLattice({
    pattern: PATTERN,
    zero: [20, 22],
    a: [20, 15],
    b: [5, 22],
    indices: [[0, 0], [1, 0], [0, 1]],
  });
  const expected = await compute(it, COUNTS, "uint16");
  assertEquals(await compute(it, COUNTS.map((count) => count + 2 ** 30), "int32"), expected);
});

Deno.test("sums around peaks on a large offset are those of the samples", async () => {
  const pattern = PATTERN;
  const positions = ndarray(Float64Array.of(20, 22, 40, 37, 1, 2, NaN, 5), [1, 4, 2], "float64");
  const half = 4, { taps, weights } = tapsOf(pattern, half, 2 * half + 1);
  for (const [dtype, offset] of OFFSETS.filter(([dtype]) => !dtype.endsWith("int64"))) {
    const values = COUNTS.map((count) => count + offset);
    const { integration } = await compute(blobs.integratePeaks({ pattern, positions }), values, dtype, "big");
    [[20, 22], [40, 37], [1, 2]].forEach(([y, x], p) => {
      let sum = 0;
      taps.forEach((tap, t) => {
        const [v, u] = [y! - half + Math.floor(tap / 9), x! - half + tap % 9];
        if (v >= 0 && u >= 0) sum += weights[t]! * values[v * SIDE + u]!;
      });
      assertEquals(integration![p], sum, `${dtype} on ${offset}, peak ${p}`);
    });
    assertEquals(integration![3], NaN);
  }
});

Deno.test("peaks of a picture on a large offset are the same", async () => {
  const find = (values: Float64Array) =>
    blobs.findPeaks(ndarray(values, [SIDE, SIDE], "float64"), { pattern: PATTERN, count: 3 });
  assertEquals(await find(COUNTS.map((count) => count + 1e12)), await find(COUNTS));
});
