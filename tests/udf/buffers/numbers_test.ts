/** Numbers that are hard: signed, big-endian, large offsets, beyond 2^24 and 2^53, NaN and infinities. */

import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { logSum } from "../../../src/udf/builtin/log_sum.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { memoryScan, numbers, type ScanOptions } from "../data.ts";

const [NAV, SIG, FRAMES, PIXELS] = [[5, 14], [6, 7], 70, 42] as const;

async function compute(
  values: ArrayLike<number>,
  dtype: DType,
  udfs: Record<string, UdfRef>,
  { options, ...rest }: PlanOptions & { options?: ScanOptions } = {},
): Promise<Results> {
  await using context = createContext({ memory: 32 * 2 ** 20, workers: 0 });
  return await run(await plan(memoryScan(values, NAV, SIG, dtype, options), udfs, { context, ...rest }));
}

const frameOf = (values: ArrayLike<number>, f: number) =>
  Array.from({ length: PIXELS }, (_, p) => values[f * PIXELS + p]!);
const pixelOf = (values: ArrayLike<number>, p: number) =>
  Array.from({ length: FRAMES }, (_, f) => values[f * PIXELS + p]!);
const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Two passes: first the mean, then the squares of the distances from it. */
function deviation(values: readonly number[]): number {
  const mean = total(values) / values.length;
  return Math.sqrt(total(values.map((v) => (v - mean) ** 2)) / values.length);
}

/** The ends of every type, and numbers of both signs between them. */
function mixed(dtype: DType): Float64Array {
  const bits = Number(dtype.match(/\d+/)![0]);
  const signed = !dtype.startsWith("u");
  const low = signed ? -(2 ** (bits - 1)) : 0;
  const high = low + 2 ** bits - 1;
  let state = 5;
  return Float64Array.from({ length: FRAMES * PIXELS }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (i % 17 === 0) return low;
    if (i % 19 === 0) return high;
    return dtype.startsWith("float")
      ? (state / 2 ** 32 - 0.5) * 1000
      : low + Math.floor(state / 2 ** 32 * 2 ** bits);
  });
}

const MASK = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => (i * 5 % 9) - 4), SIG, "float32");
const UDFS = {
  sum: sumFrames(),
  bright: sumPixels(),
  sd: standardDeviation(),
  mask: applyMasks({ masks: [MASK] }),
  com: centreOfMass(),
  log: logSum(),
  pick: pickFrames(),
};

for (const dtype of ["int8", "uint8", "int16", "uint16", "int32", "uint32"] as const) {
  for (const order of ["little", "big"] as const) {
    Deno.test(`${order}-endian ${dtype}: what plain loops give, up to the ends of the type`, async () => {
      const values = mixed(dtype);
      const found = await compute(values, dtype, UDFS, {
        partitions: 3,
        options: { order, frameHeaderBytes: 3 },
      });
      const data = (udf: string, name = "intensity") => numbers(found[udf]![name]!.data);
      const frames = Array.from({ length: FRAMES }, (_, f) => frameOf(values, f));
      const pixels = Array.from({ length: PIXELS }, (_, p) => pixelOf(values, p));
      assertEquals(data("sum"), pixels.map(total));
      assertEquals(data("bright"), frames.map(total));
      assertEquals(data("pick"), [...values]);
      data("sd", "std").forEach((sd, p) => assertAlmostEquals(sd / deviation(pixels[p]!), 1, 1e-13));
      const scale = 2 ** Number(dtype.match(/\d+/)![0]) * PIXELS;
      const weighted = (frame: number[], weight: (p: number) => number) =>
        total(frame.map((v, p) => v * weight(p)));
      const products = frames.map((frame) => weighted(frame, (p) => Number(MASK.data[p])));
      data("mask").forEach((sum, f) => assertAlmostEquals(sum / scale, products[f]! / scale, 1e-12));
      const y = numbers(found.com!.raw_com!.data).filter((_, i) => i % 2 === 0);
      frames.forEach((frame, f) => {
        const [mass, moment] = [total(frame), weighted(frame, (p) => Math.floor(p / 7))];
        const centre = mass === 0 ? 3 : moment / mass; // without mass: the reference centre
        assertAlmostEquals(
          y[f]! / Math.max(1, Math.abs(centre)),
          centre / Math.max(1, Math.abs(centre)),
          1e-9,
        );
      });
      const logs = pixels.map((pixel) =>
        total(pixel.map((v, f) => Math.log(v - Math.min(...frames[f]!) + 1)))
      );
      data("log", "logsum").forEach((sum, p) => assertAlmostEquals(sum / logs[p]!, 1, 1e-12));
    });
  }
}

Deno.test("a huge offset does not harm the standard deviation", async () => {
  for (
    const [dtype, offset, tolerance] of [
      ["float64", 1e12, 1e-5],
      ["float64", -1e9, 1e-8],
      ["float32", 2 ** 23, 1e-10],
      ["int32", 2e9, 1e-8],
      ["uint32", 4e9, 1e-8],
      ["uint16", 65000, 1e-12],
    ] as const
  ) {
    const values = Float64Array.from({ length: FRAMES * PIXELS }, (_, i) => offset + (i * 7919 % 101));
    const expected = Array.from(
      { length: PIXELS },
      (_, p) => deviation(pixelOf(values, p).map((v) => v - offset)),
    );
    for (const options of [{ partitions: 1 }, { partitions: 3, tileBytes: 64 }]) {
      const { sd } = await compute(values, dtype, { sd: standardDeviation() }, options);
      numbers(sd!.std!.data).forEach((found, p) =>
        assertAlmostEquals(found / expected[p]!, 1, tolerance, dtype)
      );
      const mean = total(pixelOf(values, 0)) / FRAMES;
      assertAlmostEquals(Number(sd!.mean!.data[0]) / mean, 1, 1e-15);
    }
  }
});

for (const dtype of ["complex64", "complex128"] as const) {
  Deno.test(`${dtype}: sums and deviations of both parts`, async () => {
    const values = Float64Array.from({ length: 2 * FRAMES * PIXELS }, (_, i) => (i * 7919 % 1013) / 8 - 50);
    const parts = [0, 1].map((part) => values.filter((_, i) => i % 2 === part));
    const udfs = { sum: sumFrames(), bright: sumPixels(), sd: standardDeviation() };
    const pair = (of: (part: Float64Array) => number) => parts.map(of);
    for (const order of ["little", "big"] as const) {
      for (const cut of [{ partitions: 1 }, { partitions: 3, tileBytes: 64 }]) {
        const { sum, bright, sd } = await compute(values, dtype, udfs, {
          ...cut,
          options: { order, images: FRAMES },
        });
        const pixels = Array.from({ length: PIXELS }, (_, p) => p);
        const sums = pixels.flatMap((p) => pair((part) => total(pixelOf(part, p))));
        assertEquals([sum!.intensity!.dtype, sum!.intensity!.shape], ["complex128", SIG]);
        assertEquals(numbers(sum!.intensity!.data), sums);
        const frames = Array.from({ length: FRAMES }, (_, f) => pair((part) => total(frameOf(part, f))));
        assertEquals([bright!.intensity!.dtype, bright!.intensity!.shape], ["complex128", NAV]);
        assertEquals(numbers(bright!.intensity!.data), frames.flat());
        const close = (found: readonly number[], expected: readonly number[]) => {
          assertEquals(found.length, expected.length);
          found.forEach((value, i) => assertAlmostEquals(value, expected[i]!, 1e-11));
        };
        close(numbers(sd!.mean!.data), sums.map((value) => value / FRAMES));
        close(numbers(sd!.sum!.data), sums);
        close(
          numbers(sd!.std!.data),
          pixels.map((p) => Math.hypot(...pair((part) => deviation(pixelOf(part, p))))),
        );
        assertEquals([sd!.mean!.dtype, sd!.std!.dtype, sd!.std!.shape], ["complex128", "float64", SIG]);
      }
    }
  });
}

Deno.test("complex samples where only real ones make sense: the UDF is named", async () => {
  for (const [name, ref] of Object.entries({ log: logSum(), ring: fluctuation(), com: centreOfMass() })) {
    const values = new Float64Array(2 * FRAMES * PIXELS);
    const failing = () => compute(values, "complex64", { it: ref }, { options: { images: FRAMES } });
    const error = await assertRejects(failing, TilewiseError, "complex64");
    assertEquals([error.code, typeof error.details.udf], ["unsupported", "string"], name);
  }
});

Deno.test("counts beyond 2^24 and sums beyond 2^32 are exact", async () => {
  const values = new Float64Array(FRAMES * PIXELS).fill(2 ** 32 - 1);
  values[0] = 2 ** 32 - 2;
  const { sum, bright, mask } = await compute(values, "uint32", {
    sum: sumFrames(),
    bright: sumPixels(),
    mask: applyMasks({ masks: [{ cy: 3, cx: 3, ro: 100 }] }),
  });
  assertEquals(Number(sum!.intensity!.data[0]), FRAMES * (2 ** 32 - 1) - 1);
  assertEquals(Number(bright!.intensity!.data[0]), PIXELS * (2 ** 32 - 1) - 1);
  assertEquals(numbers(mask!.intensity!.data), numbers(bright!.intensity!.data));
});

const AT = 3 * PIXELS + 3 * 7 + 3; // frame 3, the pixel in the middle

/** Where results are not numbers. */
const odd = (data: ArrayLike<number | bigint>) =>
  Array.from(data, Number).flatMap((v, i) => Number.isFinite(v) ? [] : [i]);

Deno.test("NaN stays where it is: in its pixel, its frame, and the neighbours of its frame", async () => {
  for (const dtype of ["float32", "float64"] as const) {
    const values = mixed("float32").map((v) => v % 100);
    values[AT] = NaN;
    const udfs = {
      ...UDFS,
      ring: fluctuation({ cy: 3.5, cx: 3.5, ri: 0, ro: 2 }),
      far: fluctuation({ cy: 0, cx: 0, ro: 2 }),
    };
    for (const options of [{}, { partitions: 3, tileBytes: 32 }]) {
      const found = await compute(values, dtype, udfs, options);
      const at = (udf: string, name = "intensity") => odd(found[udf]![name]!.data);
      assertEquals([at("sum"), at("sd", "std"), at("sd", "mean"), at("sd", "num_frames")], [
        [24],
        [24],
        [24],
        [],
      ]);
      assertEquals([at("bright"), at("mask"), at("ring"), at("far")], [[3], [3], [3], []]);
      assertEquals([at("com", "raw_com"), at("com", "divergence"), at("com", "curl")], [
        [6, 7],
        [2, 3, 4, 17],
        [2, 3, 4, 17],
      ]);
      assertEquals([at("pick"), at("log", "logsum")], [[AT], [24]]);
      // LiberTEM gives NaN for all pixels: the minimum of that frame is NaN. Ours is that of the samples that are numbers.
      const least = Math.min(...frameOf(values, 3).filter((v) => !Number.isNaN(v)));
      const logs = pixelOf(values, 0).map((v, f) =>
        Math.log(v - (f === 3 ? least : Math.min(...frameOf(values, f))) + 1)
      );
      assertAlmostEquals(Number(found.log!.logsum!.data[0]) / total(logs), 1, 1e-6);
    }
  }
});

Deno.test("infinities add up as numbers do", async () => {
  const values = mixed("float32").map((v) => v % 100);
  values[AT] = Infinity;
  values[4 * PIXELS] = Infinity;
  values[5 * PIXELS] = -Infinity;
  const { sum, bright, mask } = await compute(values, "float32", UDFS);
  const sums = numbers(sum!.intensity!.data);
  assertEquals([sums[24], sums[0], odd(sums)], [Infinity, NaN, [0, 24]]);
  assertEquals(numbers(bright!.intensity!.data).slice(3, 6), [Infinity, Infinity, -Infinity]);
  const [first, middle] = [Number(MASK.data[0]), Number(MASK.data[24])];
  assertEquals(
    numbers(mask!.intensity!.data).slice(3, 6),
    [middle * Infinity, first * Infinity, -first * Infinity],
  );
});

Deno.test("frames without mass have the reference centre, and constant ones no deviation", async () => {
  const values = new Float64Array(FRAMES * PIXELS).fill(0);
  const { com, sd, log } = await compute(values, "float32", UDFS);
  assertEquals(numbers(com!.raw_com!.data), Array(FRAMES).fill([3, 3]).flat());
  assertEquals(numbers(com!.magnitude!.data), Array(FRAMES).fill(0));
  assertEquals(numbers(sd!.std!.data), Array(PIXELS).fill(0));
  assertEquals(numbers(log!.logsum!.data), Array(PIXELS).fill(0));
});

Deno.test("without a frame: sums are zero, moments are not known", async () => {
  const { sum, bright, sd, log, com, pick } = await compute(mixed("uint16"), "uint16", UDFS, { roi: [] });
  assertEquals(numbers(sum!.intensity!.data), Array(PIXELS).fill(0));
  assert(numbers(bright!.intensity!.data).every(Number.isNaN));
  for (const name of ["mean", "var", "std"]) assert(numbers(sd![name]!.data).every(Number.isNaN), name);
  assertEquals(numbers(sd!.num_frames!.data), [0]);
  assertEquals(numbers(log!.logsum!.data), Array(PIXELS).fill(0));
  assert(numbers(com!.raw_com!.data).every(Number.isNaN));
  assertEquals(pick!.intensity!.shape, [0, ...SIG]);
});
