/** Products with masks of every kind, against sums over all pixels one by one. */

import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { roundHalfEven } from "../../../src/masks/frame.ts";
import * as masks from "../../../src/masks/mod.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { auxData } from "../../../src/udf/interface/aux_data.ts";
import type { MaskOptions } from "../../../src/udf/builtin/masks/mask.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const NAV = [3, 5];
const FRAMES = 15;

interface Complex {
  readonly re: number;
  readonly im: number;
}

/** The samples of a scan or the weights of a mask, as complex numbers. */
function complexOf(data: ArrayLike<number | bigint>, dtype: DType): Complex[] {
  if (!dtype.startsWith("complex")) return Array.from(data, (re) => ({ re: Number(re), im: 0 }));
  return Array.from(
    { length: data.length / 2 },
    (_, i) => ({ re: Number(data[2 * i]), im: Number(data[2 * i + 1]) }),
  );
}

/** A sum, and the sum of the magnitudes of its terms: what rounding is measured against. */
interface Sum extends Complex {
  readonly size: number;
}

/** What the result must be: per frame and mask, the sum over all pixels; masks may be shifted. */
function plain(
  samples: ArrayLike<number>,
  dtype: DType,
  sig: Shape,
  stack: readonly NDArray[],
  shift: (frame: number) => readonly number[] = () => sig.map(() => 0),
): Sum[] {
  const data = complexOf(samples, dtype);
  const pixels = sizeOf(sig);
  const weights = stack.map((mask) => complexOf(mask.data, mask.dtype));
  return Array.from({ length: FRAMES * stack.length }, (_, i) => {
    const [frame, mask] = [Math.floor(i / stack.length), weights[i % stack.length]!];
    let [re, im, size] = [0, 0, 0];
    for (let p = 0; p < pixels; p++) {
      const from = unravel(p, sig).map((at, d) => at - shift(frame)[d]!);
      if (from.some((at, d) => at < 0 || at >= sig[d]!)) continue;
      const w = mask[from.reduce((flat, at, d) => flat * sig[d]! + at, 0)]!;
      const v = data[frame * pixels + p]!;
      re += v.re * w.re - v.im * w.im;
      im += v.re * w.im + v.im * w.re;
      size += Math.hypot(v.re, v.im) * Math.hypot(w.re, w.im);
    }
    return { re, im, size };
  });
}

async function compute(
  samples: ArrayLike<number>,
  dtype: DType,
  sig: Shape,
  options: MaskOptions,
  how: PlanOptions = {},
): Promise<NDArray> {
  await using context = createContext({ memory: 32 * 2 ** 20, workers: 0 });
  const scan = memoryScan(samples, NAV, sig, dtype);
  return (await run(await plan(scan, { it: applyMasks(options) }, { context, ...how }))).it!.intensity!;
}

function assertClose(found: NDArray, expected: readonly Sum[], tolerance: number): void {
  const values = complexOf(found.data as ArrayLike<number>, found.dtype);
  assertEquals(values.length, expected.length);
  values.forEach(({ re, im }, i) => {
    const scale = Math.max(1e-300, expected[i]!.size);
    assertAlmostEquals(re / scale, expected[i]!.re / scale, tolerance);
    assertAlmostEquals(im / scale, expected[i]!.im / scale, tolerance);
  });
}

function samplesOf(dtype: DType, sig: Shape): Float64Array {
  const values = counts(FRAMES * sizeOf(sig) * (dtype.startsWith("complex") ? 2 : 1), 3, 200);
  return dtype.startsWith("float") || dtype.startsWith("complex")
    ? values.map((v, i) => v / 7 - i % 5)
    : values;
}

function waves(sig: Shape, dtype: DType, phase: number): NDArray {
  const length = sizeOf(sig) * (dtype.startsWith("complex") ? 2 : 1);
  const values = Float64Array.from({ length }, (_, i) => Math.sin(i * 1.7 + phase));
  const data: TypedArray = dtype.endsWith("64") && dtype !== "float64" ? Float32Array.from(values) : values;
  return ndarray(data, sig, dtype);
}

const SHAPES: Shape[] = [[6, 7], [23], [2, 3, 5]];
const TOLERANCE = {
  uint16: 1e-6,
  float32: 1e-6,
  float64: 1e-14,
  complex64: 1e-6,
  complex128: 1e-14,
} as const;

for (const [dtype, tolerance] of Object.entries(TOLERANCE) as [keyof typeof TOLERANCE, number][]) {
  for (const sig of SHAPES) {
    Deno.test(`${dtype} frames of ${sig.join(" × ")}: real, complex and both kinds of masks`, async () => {
      const samples = samplesOf(dtype, sig);
      const real = [waves(sig, "float64", 0), waves(sig, "float64", 1)];
      const both = [waves(sig, "complex128", 0), waves(sig, "float64", 2), waves(sig, "complex128", 3)];
      for (const stack of [real, both]) {
        const found = await compute(samples, dtype, sig, { masks: stack });
        const complex = stack === both || dtype.startsWith("complex");
        assertEquals([found.dtype, found.shape], [complex ? "complex128" : "float64", [
          ...NAV,
          stack.length,
        ]]);
        assertClose(found, plain(samples, dtype, sig, stack), tolerance);
      }
    });
  }
}

Deno.test("the result may be single, and complex where all is real, but not the other way round", async () => {
  const sig = [4, 5];
  const samples = samplesOf("uint16", sig);
  const [real, complex] = [waves(sig, "float64", 0), waves(sig, "complex64", 0)];
  const of = (mask: NDArray, dtype: MaskOptions["dtype"]) =>
    compute(samples, "uint16", sig, { masks: [mask], ...(dtype ? { dtype } : {}) });
  const wide = await of(complex, undefined);
  const single = await of(complex, "complex64");
  assertEquals([single.dtype, single.data], ["complex64", Float32Array.from(wide.data as Float64Array)]);
  const half = await of(real, "float32");
  assertEquals([half.dtype, half.data.constructor], ["float32", Float32Array]);
  const widened = await of(real, "complex128");
  assertEquals(complexOf(widened.data as Float64Array, "complex128").every(({ im }) => im === 0), true);
  assertClose(widened, plain(samples, "uint16", sig, [real]), 1e-6);
  const error = await assertRejects(() => of(complex, "float32"));
  assertEquals(isTilewiseError(error, "invalid"), true);
});

Deno.test("stacks, sparse masks, recipes and functions in modules are the masks they make", async () => {
  const sig = [6, 7];
  const samples = samplesOf("uint16", sig);
  const centre = { cy: 2.5, cx: 3 };
  const bins = masks.radialBins(sig, { ...centre, bins: 3 });
  const expected = await compute(samples, "uint16", sig, { masks: [bins] });
  assertEquals(expected.shape, [...NAV, 3]);
  const same = async (list: MaskOptions["masks"], array: NDArray) =>
    assertEquals(await compute(samples, "uint16", sig, { masks: list }), array);
  await same([{ make: "radialBins", ...centre, bins: 3 }], expected);
  await same([masks.sparseRadialBins(sig, { ...centre, bins: 3 })], expected);
  await same([{ make: "sparseRadialBins", ...centre, bins: 3 }], expected);
  const ring = { ...centre, ro: 3, ri: 1 };
  await same([ring], await compute(samples, "uint16", sig, { masks: [{ make: "ring", ...ring }] }));
  const module = import.meta.resolve("./mask_functions.ts");
  const rows = Float64Array.from({ length: 42 }, (_, i) => Math.floor(i / 7) % 2 ? 0 : 1);
  const own = [ndarray(rows, sig, "float64"), masks.ring(sig, { cy: 2, cx: 2, ro: 2, ri: 1 })];
  await same([{ module, params: { every: 2 } }], await compute(samples, "uint16", sig, { masks: own }));
  const every = { stampDisks: { r: 1, stamps: [{ mask: 1, y: 2, x: 2 }] }, gradientX: {}, gradientY: {} };
  for (const [make, options] of Object.entries(every)) {
    await compute(samples, "uint16", sig, { masks: [{ make, ...options } as never] });
  }
});

Deno.test("a recipe gives its masks to workers, too", async () => {
  const sig = [6, 7];
  const samples = samplesOf("float32", sig);
  const options = { masks: [{ make: "radialFourierMasks", cy: 3, cx: 3, maxOrder: 2 } as const] };
  await using context = createContext({ memory: 32 * 2 ** 20, workers: 2 });
  const found = await compute(samples, "float32", sig, options, { context, partitions: 3 });
  assertEquals(found, await compute(samples, "float32", sig, options));
  assertEquals(found.shape, [...NAV, 3]);
});

for (const dtype of ["uint16", "float64", "complex64"] as const) {
  Deno.test(`shifts of ${dtype}: constant and frame by frame, partly and wholly off the frame`, async () => {
    const sig = [6, 7];
    const samples = samplesOf(dtype, sig);
    const stack = [waves(sig, "complex128", 0), waves(sig, "float64", 1)];
    for (const shift of [[0, 0], [2, -3], [-5, 6], [1.9, -0.9], [2.5, -1.5], [0.4, -0.6]]) {
      const found = await compute(samples, dtype, sig, { masks: stack, shifts: shift });
      assertClose(found, plain(samples, dtype, sig, stack, () => shift.map(roundHalfEven)), 1e-6);
    }
    const shifts = Float64Array.from({ length: 2 * FRAMES }, (_, i) => (i * 37 % 19) * 0.8 - 7);
    const moving = { masks: stack, shifts: ndarray(shifts, [...NAV, 2], "float64") };
    const whole = (frame: number) => [...shifts.subarray(2 * frame, 2 * frame + 2)].map(roundHalfEven);
    const found = await compute(samples, dtype, sig, moving);
    assertClose(found, plain(samples, dtype, sig, stack, whole), 1e-6);
    for (const how of [{ partitions: 4 }, { tileBytes: 64 }]) {
      assertEquals(await compute(samples, dtype, sig, moving, how), found);
    }
    assertEquals(
      await compute(samples, dtype, sig, { ...moving, shifts: auxData(shifts, { extraShape: [2] }) }),
      found,
    );
    await using context = createContext({ memory: 32 * 2 ** 20, workers: 2 });
    assertEquals(await compute(samples, dtype, sig, moving, { context, partitions: 3 }), found);
    const some = numbers((await compute(samples, dtype, sig, moving, { roi: [[1, 2], [2, 4]] })).data);
    assertEquals(some.slice(4 * 7, 4 * 8), numbers(found.data).slice(4 * 7, 4 * 8));
    assertEquals(some.slice(4 * 14), numbers(found.data).slice(4 * 14));
  });
}

Deno.test("whole masks, shifted masks and masks of whole numbers count exactly", async () => {
  const sig = [9, 20];
  const samples = counts(FRAMES * 180, 8, 60000);
  const ring = masks.ring(sig, { cy: 4, cx: 9, ro: 5, ri: 2 });
  const shifts = ndarray(new Int8Array(2 * FRAMES).map((_, i) => i % 5 - 2), [...NAV, 2], "int8");
  const found = await compute(samples, "uint16", sig, { masks: [ring], shifts });
  const expected = plain(samples, "uint16", sig, [ring], (f) => [2 * f % 5 - 2, (2 * f + 1) % 5 - 2]);
  assertEquals(numbers(found.data), expected.map(({ re }) => re));
});

Deno.test("what cannot be multiplied is refused before anything is read", async () => {
  const sig = [4, 5];
  const module = import.meta.resolve("./mask_functions.ts");
  const refuse = async (options: unknown, text: string) => {
    const samples = new Uint8Array(FRAMES * 20);
    await assertRejects(() => compute(samples, "uint16", sig, options as MaskOptions), Error, text);
  };
  await refuse({ masks: [] }, "give at least one");
  await refuse({ masks: [{ make: "star" }] }, 'the mask "star"; there are circular, ring');
  await refuse({ masks: [waves([5, 4], "float64", 0)] }, "a mask of 5 × 4: frames are 4 × 5");
  await refuse({ masks: [{ module, export: "nothing" }] }, "gave no masks");
  await refuse({ masks: [{ module, export: "number" }] }, "is not a function");
  await refuse({ masks: [{ module, export: "missing" }] }, 'no export "missing"');
  await refuse({ masks: [{ cy: 1, cx: 1, ro: 2 }], shifts: [1] }, "by 1 numbers: frames have 2 dimensions");
  await refuse({ masks: [{ cy: 1, cx: 1, ro: 2 }], shifts: [1, NaN] }, "Cannot shift masks by NaN");
  await refuse(
    { masks: [{ cy: 1, cx: 1, ro: 2 }], shifts: [3.6, 0] },
    "no pixel of them is left in frames of 4 × 5",
  );
  await refuse({ masks: [new Float32Array(20)] }, "an array with a shape, as ndarray() makes it");
  await refuse({ masks: [{ cy: 90, cx: 1, ro: 2 }] }, "no pixel within 2 px of (90, 1)");
  await refuse({ masks: [{ cy: 1, cx: 1, ro: -2 }] }, '"masks[0].ro" is -2');
  const shifts = ndarray(new Int32Array(20), [10, 2], "int32");
  await refuse({ masks: [{ cy: 1, cx: 1, ro: 2 }], shifts }, "they must be an array of 3 × 5 × 2");
});
