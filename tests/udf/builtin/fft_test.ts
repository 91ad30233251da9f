/** Crystallinity, fluctuation and Fourier transforms of frames, against LiberTEM and NumPy. */

import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import { fftOfFrames, fftOfSum } from "../../../src/udf/builtin/fft_of.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

async function compute(udf: UdfRef, scan: StoredDataset, options: PlanOptions = {}) {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  return (await run(await plan(scan, { it: udf }, { context, ...options }))).it!;
}

function assertClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  assertEquals(found.length, expected.length);
  found.forEach((value, i) => assertAlmostEquals(value, expected[i]!, tolerance));
}

// LiberTEM 0.16: CrystallinityUDF(rad_in=0.5, rad_out=2, real_center=(2, 2), real_rad=1), then without a real disk
const MASKED = [149.09087, 255.70346, 231.6717, 188.57108, 214.7928, 171.1752, 253.3757, 283.1653, 192.42085]
  .concat([245.57228, 258.96426, 229.21303]);
const WHOLE = [250.02301, 237.95865, 161.9331, 193.99686, 193.99686, 161.93309, 237.95865, 250.02301]
  .concat([175.62349, 232.86876, 209.84929, 183.08371]);
// LiberTEM 0.16: FEMUDF(center=(2, 2), rad_in=1, rad_out=2)
const FEM = [8.119013, 7.7775187, 7.0392485, 8.79703, 5.8239474, 7.2983084, 8.642563, 7.342912, 5.2566767]
  .concat([7.6050463, 5.421047, 7.661193]);

for (const dtype of ["uint16", "float32", "int32", "float64", "uint8"] as const) {
  for (const order of ["little", "big"] as const) {
    const scan = () => goldenScan(dtype, { order });
    Deno.test(`crystallinity, ${order}-endian ${dtype}`, async () => {
      const real = { cy: 2, cx: 2, r: 1 };
      const { intensity } = await compute(crystallinity({ ri: 0.5, ro: 2, real }), scan());
      assertClose(numbers(intensity!.data), MASKED, 5e-5);
      assertEquals(intensity!.shape, [3, 4]);
      const whole = await compute(crystallinity({ ri: 0.5, ro: 2 }), scan());
      assertClose(numbers(whole.intensity!.data), WHOLE, 5e-5);
    });
    Deno.test(`fluctuation, ${order}-endian ${dtype}`, async () => {
      const { intensity } = await compute(fluctuation({ cy: 2, cx: 2, ri: 1, ro: 2 }), scan());
      assertClose(numbers(intensity!.data), FEM, 3e-6);
    });
  }
}

Deno.test("crystallinity of frames of odd sizes: the ring lies half a pixel off, as in LiberTEM", async () => {
  const scan = memoryScan(
    Array.from({ length: 70 }, (_, k) => (7 * k * k + 3 * k) % 31),
    [2],
    [5, 7],
    "uint16",
  );
  const real = { cy: 2, cx: 3, r: 1.2 };
  const { intensity } = await compute(crystallinity({ ri: 0.7, ro: 2.3, real }), scan);
  // NumPy: (abs(rfft2(frames * ~disk)) * fftshift(ring around (2.5, 3.5))[:, :4]).sum((1, 2))
  assertClose(numbers(intensity!.data), [642.411406178, 712.378591439], 1e-3);
});

Deno.test("rings and holes without pixels are refused", async () => {
  const refuse = (udf: UdfRef, text: string) =>
    assertRejects(() => compute(udf, goldenScan()), TilewiseError, text);
  await refuse(crystallinity({ ri: 3, ro: 2 }), "from ri = 3 to ro = 2: ri must be less than ro");
  await refuse(
    crystallinity({ ri: 90, ro: 91 }),
    "no pixel from 90 to 91 px around the middle of their spectrum",
  );
  await refuse(fluctuation({ cy: 2, cx: 2, ri: 3, ro: 2 }), "ri must be less than ro");
  await refuse(fluctuation({ cy: 90, cx: 2, ri: 1, ro: 2 }), "no pixel");
  const real = { cy: 90, cx: 2, r: 3 };
  for (const udf of [crystallinity({ ri: 0, ro: 2, real }), fftOfSum({ real }), fftOfFrames({ real })]) {
    await refuse(udf, "Cannot make a hole: frames of 4 × 5 have no pixel within 3 px of (90, 2)");
  }
});

Deno.test("a ring in one column of the spectrum: the magnitudes of that column", async () => {
  const frame = Array.from({ length: 25 }, (_, i) => (7 * i * i + 3 * i) % 31);
  const column = Array.from({ length: 5 }, (_, k) => {
    let [re, im] = [0, 0];
    frame.forEach((value, i) => {
      const angle = -2 * Math.PI * k * Math.floor(i / 5) / 5;
      re += value * Math.cos(angle);
      im += value * Math.sin(angle);
    });
    return Math.hypot(re, im);
  });
  for (const dtype of ["float32", "float64"] as const) {
    const scan = memoryScan(frame, [1], [5, 5], dtype);
    const { intensity } = await compute(crystallinity({ ri: 0, ro: 0.71 }), scan);
    // The middle of the spectrum lies half a pixel off: the ring holds frequencies 0 and −1 of column 0.
    assertClose(numbers(intensity!.data), [column[0]! + column[4]!], 1e-3);
  }
});

Deno.test("deviations of large numbers lose nothing", async () => {
  const scan = (offset: number, dtype: DType) =>
    memoryScan(counts(64, 3).map((v) => v + offset), [1], [8, 8], dtype);
  const udf = fluctuation({ cy: 4, cx: 4, ri: 0, ro: 9 });
  const [expected] = numbers((await compute(udf, scan(0, "float64"))).intensity!.data);
  const [found] = numbers((await compute(udf, scan(2 ** 40, "float64"))).intensity!.data);
  assertAlmostEquals(found!, expected!, 1e-9);
});

Deno.test("the transform of the sum", async () => {
  const { fft, magnitude } = await compute(fftOfSum(), goldenScan());
  assertEquals([fft!.shape, fft!.dtype, magnitude!.shape], [[4, 5], "complex128", [4, 5]]);
  // NumPy: fftshift(fft2(sum))
  const row = [-10.079526826, 23.095138265, 24.579526826, 50.128480812, 71, 0];
  assertClose(numbers(fft!.data).slice(0, 6), row, 1e-8);
  assertClose(numbers(fft!.data).slice(24, 26), [3113, 0], 1e-9);
  const masked = await compute(fftOfSum({ real: { cy: 2, cx: 2, r: 1 } }), goldenScan());
  const second = [247.976096606, 274.990440134, 436.898157469, 320.039432057, 158.817112666];
  assertClose(numbers(masked.magnitude!.data).slice(5, 10), second, 1e-8);
});

Deno.test("the transform of selected frames", async () => {
  const { fft, magnitude } = await compute(fftOfFrames(), goldenScan(), { roi: [[0, 1], [1, 2]] });
  assertEquals([fft!.shape, magnitude!.shape], [[2, 4, 5], [2, 4, 5]]);
  const row = [4.553145013, 55.715966028, 230, 55.715966028, 4.553145013];
  assertClose(numbers(magnitude!.data).slice(30, 35), row, 1e-8);
  const all = fftOfFrames({ real: { cy: 0, cx: 0, r: 9 } });
  const refused = () => compute(all, goldenScan("float64"));
  await assertRejects(refused, TilewiseError, "no pixel that is more than 9 px from (0, 0)");
});

Deno.test("what cannot be transformed is refused in words", async () => {
  const line = memoryScan([1, 2, 3, 4], [2], [2], "uint8");
  await assertRejects(() => compute(crystallinity({ ri: 0, ro: 1 }), line), Error, "they need 2 dimensions");
  await assertRejects(() => compute(fftOfSum(), line), Error, "they need 2 dimensions");
  const complex = memoryScan([1, 2, 3, 4, 5, 6, 7, 8], [1], [2, 2], "complex64", { images: 1 });
  await assertRejects(() => compute(fftOfFrames(), complex), Error, "must be real");
  await assertRejects(() => compute(crystallinity({ ri: 0, ro: 1 }), complex), Error, "must be real");
  assertThrows(() => crystallinity({ ri: NaN, ro: 1 }), Error, '"ri" is NaN; it must be a number from 0');
});

Deno.test("a ring that is not given is that of a detector", async () => {
  const { intensity } = await compute(fluctuation(), goldenScan());
  const same = await compute(fluctuation({ cy: 2, cx: 2.5, ri: 1.6, ro: 2 }), goldenScan());
  assertEquals(numbers(intensity!.data), numbers(same.intensity!.data));
});
