/** Values that LiberTEM gives on the golden scan. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { logSum } from "../../../src/udf/builtin/log_sum.ts";
import { maskWeights } from "./mask_weights.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { goldenScan, numbers } from "../data.ts";

async function compute(udf: UdfRef, options: PlanOptions = {}, dtype: DType = "uint16") {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  return (await run(await plan(goldenScan(dtype), { it: udf }, { context, ...options }))).it!;
}

function assertClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  assertEquals(found.length, expected.length);
  found.forEach((value, i) => assertAlmostEquals(value, expected[i]!, tolerance));
}

const ROI = [[0, 1], [1, 2], [2, 0]];

for (const dtype of ["uint16", "float32", "int32", "float64"] as const) {
  Deno.test(`sum, ${dtype}`, async () => {
    const { intensity } = await compute(sumFrames(), {}, dtype);
    assertEquals(numbers(intensity!.data).slice(0, 5), [154, 154, 136, 193, 139]);
    assertEquals(intensity!.shape, [4, 5]);
  });
  Deno.test(`sum per frame, ${dtype}`, async () => {
    const { intensity } = await compute(sumPixels(), {}, dtype);
    assertEquals(numbers(intensity!.data), [252, 230, 298, 239, 239, 298, 230, 252, 302, 225, 269, 279]);
    assertEquals(intensity!.shape, [3, 4]);
  });
  Deno.test(`standard deviation, ${dtype}`, async () => {
    const { std, var: variance, num_frames } = await compute(standardDeviation(), {}, dtype);
    assertClose(
      numbers(std!.data).slice(0, 5),
      [8.3947735, 8.3947735, 8.4294457, 7.1351049, 8.7126186],
      1e-7,
    );
    const row = [37.5555556, 37.2430556, 35.5763889, 66.1388889, 57.8888889];
    assertClose(numbers(variance!.data).slice(5, 10), row, 1e-7);
    assertEquals(numbers(num_frames!.data), [12]);
  });
  Deno.test(`masks of ones and of a ramp, ${dtype}`, async () => {
    const ones = ndarray(new Float32Array(20).fill(1), [4, 5], "float32");
    const ramp = ndarray(Float32Array.from({ length: 20 }, (_, i) => i % 5), [4, 5], "float32");
    const { intensity } = await compute(applyMasks({ masks: [ones, ramp] }), {}, dtype);
    assertEquals(numbers(intensity!.data).slice(0, 8), [252, 519, 230, 546, 298, 691, 239, 551]);
    assertEquals(intensity!.shape, [3, 4, 2]);
  });
  Deno.test(`centre of mass in a disk, ${dtype}`, async () => {
    const { raw_com } = await compute(centreOfMass({ cy: 1.5, cx: 2, r: 2 }), {}, dtype);
    const found = numbers(raw_com!.data);
    assertClose(found.slice(0, 2), [1.8351064, 2.0159574], 2.5e-7);
    assertClose(found.slice(12, 14), [1.6133333, 1.72], 2.5e-7);
    assertClose(found.slice(22, 24), [1.6470588, 2.2132354], 2.5e-7);
  });
  Deno.test(`sum of logarithms, ${dtype}`, async () => {
    const { logsum } = await compute(logSum(), {}, dtype);
    const row = [24.492802, 26.630306, 23.974327, 31.442213, 23.438183];
    assertClose(numbers(logsum!.data).slice(0, 5), row, 4e-6);
  });
}

Deno.test("region of interest: sum, sum per frame, centre of mass", async () => {
  const roi = ROI;
  const { intensity } = await compute(sumFrames(), { roi });
  assertEquals(numbers(intensity!.data).slice(0, 5), [19, 64, 58, 32, 17]);
  const bright = await compute(sumPixels(), { roi });
  const nan = NaN;
  assertEquals(numbers(bright.intensity!.data), [nan, 230, nan, nan, nan, nan, 230, nan, 302, nan, nan, nan]);
  assertEquals([...bright.intensity!.valid!], [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0]);
  const { raw_com } = await compute(centreOfMass(), { roi });
  const y = numbers(raw_com!.data).filter((value, i) => i % 2 === 0 && !Number.isNaN(value));
  assertClose(y, [1.2869565, 1.7130435, 1.5662252], 1e-7);
});

Deno.test("pick copies the selected frames", async () => {
  const { intensity } = await compute(pickFrames(), { roi: ROI });
  assertEquals(intensity!.shape, [3, 4, 5]);
  assertEquals(intensity!.dtype, "uint16");
  const frame = (n: number) =>
    Array.from({ length: 20 }, (_, i) => (7 * (20 * n + i) ** 2 + 3 * (20 * n + i)) % 31);
  assertEquals(numbers(intensity!.data), [1, 6, 8].flatMap(frame));
});

Deno.test("corrections: dark, gain and dead pixels", async () => {
  const map = (value: (k: number) => number) =>
    ndarray(Float32Array.from({ length: 20 }, (_, k) => value(k)), [4, 5], "float32");
  const corrections = {
    dark: map((k) => k / 10),
    gain: map((k) => 1 + k / 100),
    excluded: [[1, 1], [1, 2], [3, 4]],
  };
  const found = numbers((await compute(sumFrames(), { corrections })).intensity!.data);
  assertClose(found.slice(0, 5), [154, 154.328, 136.272, 195.082, 139.568], 1e-4);
  assertClose(found.slice(5, 10), [161.7, 156.64, 159.65659, 147.312, 193.14801], 1e-4);
  assertAlmostEquals(found[19]!, 180.794, 1e-4);
});

Deno.test("a ring leaves its inner disk out", () => {
  const [ring] = maskWeights([{ cy: 1.5, cx: 2, ro: 2, ri: 1 }], [4, 5]);
  assertEquals(Array.from(ring!.values).join(""), "01110" + "01010" + "01010" + "01110");
});
