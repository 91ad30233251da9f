/** Fourier coefficients along rings: values of LiberTEM, and products with the masks they are defined by. */

import {
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import * as masks from "../../../src/masks/mod.ts";
import { type DType, isExact } from "../../../src/space/dtype.ts";
import { radialFourier, type RadialFourierOptions } from "../../../src/udf/builtin/radial_fourier.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { counts, goldenScan, memoryScan, numbers, type ScanOptions } from "../data.ts";

async function compute(options: RadialFourierOptions, scan = goldenScan(), how: PlanOptions = {}) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  return (await run(await plan(scan, { it: radialFourier(options) }, { context, ...how }))).it!;
}

const GOLDEN = { cy: 1.5, cx: 2, ri: 0, ro: 3, bins: 2, maxOrder: 2 };

Deno.test("values of LiberTEM: coefficients of both bins, dominant orders", async () => {
  const { intensity, dominant } = await compute(GOLDEN);
  assertEquals([intensity!.shape, intensity!.dtype], [[3, 4, 2, 3], "complex128"]);
  const found = numbers(intensity!.data).slice(0, 12);
  const bin0 = [118.762413, 0, -9.184160, 12.040203, -35.399773, 14.384068];
  const bin1 = [133.237610, 0, 11.402501, 42.928360, 15.133350, 17.458825];
  [...bin0, ...bin1].forEach((value, i) => assertAlmostEquals(found[i]!, value, 2e-5));
  assertEquals(numbers(dominant!.data).filter((_, i) => i % 2 === 0).join(""), "221111222112");
});

Deno.test("channels are read off the coefficients", async () => {
  const { intensity, absolute, phase, normalised } = await compute(GOLDEN);
  const c = numbers(intensity!.data);
  for (let i = 0; i < c.length / 2; i++) {
    const size = Math.hypot(c[2 * i]!, c[2 * i + 1]!);
    const first = 2 * 3 * Math.floor(i / 3);
    assertEquals(numbers(absolute!.data)[i], Math.fround(size));
    assertEquals(numbers(phase!.data)[i], Math.fround(Math.atan2(c[2 * i + 1]!, c[2 * i]!)));
    const mean = Math.max(1, Math.hypot(c[first]!, c[first + 1]!));
    assertAlmostEquals(numbers(normalised!.data)[i]!, size / mean, 1e-6);
  }
  assertEquals(absolute!.shape, [3, 4, 2, 3]);
  assertEquals(Object.keys(await compute({ ...GOLDEN, channels: false })), ["intensity", "dominant"]);
});

Deno.test("an order that is weak everywhere else does not dominate; empty frames have none", async () => {
  const cross = [0, 9, 0, 9, 0, 9, 0, 9, 0], line = [0, 0, 0, 100, 0, 100, 0, 0, 0];
  const values = [...cross, ...line, ...Array(9).fill(0), ...line];
  const options = { cy: 1, cx: 1, maxOrder: 5 };
  const { dominant } = await compute(options, memoryScan(values, [2, 2], [3, 3], "uint8"));
  assertEquals(numbers(dominant!.data), [0, 2, 0, 2]); // 36 of the cross is less than a fifth of 200
  const { dominant: alone } = await compute(
    { ...options, maxOrder: 0 },
    memoryScan(values, [2, 2], [3, 3], "uint8"),
  );
  assertEquals(numbers(alone!.data), [0, 0, 0, 0]);
});

/** The masks, unless they have no pixel. */
function stackOf(...args: Parameters<typeof masks.radialFourierMasks>) {
  try {
    return masks.radialFourierMasks(...args);
  } catch (error) {
    assertStringIncludes(String(error), "no pixel");
    return undefined;
  }
}

/** Compares with the sums over all pixels, relative to the sum of the magnitudes of their terms. */
async function compare(
  sig: readonly [number, number],
  options: RadialFourierOptions & { cy: number; cx: number },
  dtype: DType,
  tolerance: number,
  more: ScanOptions = {},
): Promise<void> {
  const pixels = sig[0] * sig[1];
  const most = dtype === "bool" ? 2 : dtype.endsWith("8") ? 100 : 30000;
  const samples = counts(3 * pixels, 9, most).map((v, i) => isExact(dtype) ? v : v / 3 - i % 4);
  const scan = memoryScan(samples, [3], sig, dtype, more);
  const stack = stackOf(sig, options);
  if (!stack) return void await assertRejects(() => compute(options, scan), TilewiseError, "no pixel");
  const { intensity } = await compute(options, scan);
  const count = stack.shape[0]!;
  const found = numbers(intensity!.data);
  assertEquals(found.length, 6 * count);
  for (let f = 0; f < 3; f++) {
    for (let m = 0; m < count; m++) {
      let [re, im, size] = [0, 0, 1e-300];
      for (let p = 0; p < pixels; p++) {
        const [wr, wi] = [2 * (m * pixels + p), 2 * (m * pixels + p) + 1].map((i) => Number(stack.data[i]));
        re += samples[f * pixels + p]! * wr!;
        im += samples[f * pixels + p]! * wi!;
        size += Math.abs(samples[f * pixels + p]!) * Math.hypot(wr!, wi!);
      }
      assertAlmostEquals(found[2 * (f * count + m)]! / size, re / size, tolerance);
      assertAlmostEquals(found[2 * (f * count + m) + 1]! / size, im / size, tolerance);
    }
  }
}

const CENTRES: [string, number, number][] = [
  ["on a pixel", 8, 9],
  ["between pixels", 7.5, 8.5],
  ["on a pixel and between", 7.5, 9],
  ["anywhere", 7.3, 8.9],
  ["near a corner", 2, 17.5],
  ["off the frame", -3, 30],
  ["off the frame, anywhere", -3.2, 30.1],
  ["far off the frame", -4e9, 7e12],
];

for (const [name, cy, cx] of CENTRES) {
  Deno.test(`a centre ${name}: products with the masks`, async () => {
    for (const bins of [1, 4, 25]) {
      await compare([17, 19], { cy, cx, bins, maxOrder: 6 }, "uint16", 1e-6);
      await compare([17, 19], { cy, cx, bins, maxOrder: 3 }, "float64", 1e-14);
    }
    await compare([17, 19], { cy, cx, ri: 4, ro: 35, bins: 3, maxOrder: 3 }, "uint16", 1e-6);
  });
}

for (const dtype of ["uint8", "int8", "int16", "uint32", "int32", "float32", "bool"] as const) {
  Deno.test(`${dtype} samples in both byte orders`, async () => {
    const tolerance = /32$/.test(dtype) && dtype !== "float32" ? 1e-14 : 1e-6;
    const options = { cy: 4, cx: 5.5, bins: 2, maxOrder: 4 };
    for (const order of ["little", "big"] as const) {
      await compare([9, 12], options, dtype, tolerance, { order });
    }
  });
}

Deno.test("a centre left of the middle adds nothing of the frame before", async () => {
  const values = [0, 0, 0, 9, 0, 0, 0, 0];
  const options = { cy: 0, cx: 1, maxOrder: 0 };
  const { intensity } = await compute(options, memoryScan(values, [2], [1, 4], "uint8"));
  assertEquals(numbers(intensity!.data), [9, 0, 0, 0]);
});

Deno.test("what lies in front of a frame leaks in from no neighbour, for any tiles", async () => {
  // Whatever is wrongly read is far larger than what is there.
  for (const [cy, cx] of [[0, 1], [0, 0.5], [1, 1], [0.5, 2], [1.5, 0.5], [2, 4]] as const) {
    const sig = [4, 6] as const;
    const samples = counts(3 * 24, 4, 50).map((v, i) => i >= 24 && i < 48 ? v + 1 : 1e4 + v);
    const scan = memoryScan(samples, [3], sig, "uint16", { frameHeaderBytes: 7 });
    const middle = memoryScan(samples.subarray(24, 48), [1], sig, "uint16");
    for (const tileBytes of [1, 4096]) {
      const options = { cy, cx, maxOrder: 3 };
      const found = numbers((await compute(options, scan, { tileBytes })).intensity!.data);
      const alone = numbers((await compute(options, middle)).intensity!.data);
      assertEquals(found.slice(8, 16), alone);
    }
    await compare(sig, { cy, cx, maxOrder: 3 }, "uint16", 1e-6);
  }
});

Deno.test("any frame, any centre", async () => {
  const side = fc.integer({ min: 1, max: 12 });
  const place = fc.oneof(
    fc.integer({ min: -4, max: 40 }).map((n) => n / 2),
    fc.double({ min: -2, max: 20, noNaN: true }),
  );
  const radii = fc.record({
    ri: fc.integer({ min: 0, max: 5 }),
    width: fc.double({ min: 0.3, max: 9, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(
      side,
      side,
      place,
      place,
      radii,
      fc.integer({ min: 1, max: 7 }),
      async (h, w, cy, cx, r, bins) => {
        const options = { cy, cx, ri: r.ri, ro: r.ri + r.width, bins, maxOrder: 3 };
        await compare([h, w], options, "uint16", 1e-6);
      },
    ),
    { seed: 11, numRuns: 40 },
  );
});

Deno.test("tiles, partitions, regions and workers change no bit", async () => {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 2 });
  const [nav, sig] = [[9, 10], [24, 40]] as const;
  for (const dtype of ["uint16", "float32", "float64"] as const) {
    const scan = memoryScan(counts(90 * 960, 5, 5000), nav, sig, dtype);
    for (const options of [{ bins: 3 }, { cy: 11.3, cx: 20, ro: 9, maxOrder: 5 }]) {
      const expected = await compute(options, scan);
      const ways: PlanOptions[] = [
        { partitions: 1 },
        { partitions: 9 },
        { tileBytes: 4096 },
        { tileBytes: 100 },
        { context, partitions: 5 },
      ];
      for (const how of ways) assertEquals(await compute(options, scan, how), expected);
    }
    const some = await compute({ bins: 2 }, scan, { roi: [[1, 3], [8, 9]] });
    const all = numbers((await compute({ bins: 2 }, scan)).intensity!.data);
    for (const at of [13, 89]) {
      assertEquals(
        numbers(some.intensity!.data).slice(100 * at, 100 * at + 100),
        all.slice(100 * at, 100 * at + 100),
      );
    }
    assertEquals(numbers(some.intensity!.data)[0], NaN);
  }
});

Deno.test("what cannot be analysed is refused before anything is read", async () => {
  const scan = (sig: number[], dtype: DType) =>
    memoryScan(new Float64Array(240), [12], sig, dtype, { images: 12 });
  const refuse = (options: RadialFourierOptions, text: string, data = goldenScan()) =>
    assertRejects(() => compute(options, data), Error, text);
  assertThrows(
    () => radialFourier({ maxOrder: 1.5 }),
    Error,
    '"maxOrder" is 1.5; it must be a whole number from 0',
  );
  assertThrows(() => radialFourier({ bins: 0 }), Error, '"bins" is 0; it must be a whole number from 1');
  assertThrows(() => radialFourier({ cy: NaN }), Error, '"cy" is NaN');
  await refuse({ ri: 9, ro: 3 }, "ri must be less than ro");
  await refuse({ cy: 90, ro: 3 }, "no pixel");
  await refuse({}, "needs frames of 2 dimensions", scan([20], "uint16"));
  await refuse({}, "of complex64 frames: they must be real", scan([2, 5], "complex64"));
});
