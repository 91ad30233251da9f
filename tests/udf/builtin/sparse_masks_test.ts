/** Sparse masks: the products of a plain computation, the same bits for any tiles and forms of frames. */

import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { ringOf } from "../../../src/masks/small_ring.ts";
import { circular, denseMasks, ring, sparseMasks } from "../../../src/masks/mod.ts";
import type { MaskOptions } from "../../../src/udf/builtin/masks/mask.ts";
import { maskWeights } from "./mask_weights.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { csrScan, sparseCounts } from "../csr_data.ts";
import { counts, memoryScan, numbers } from "../data.ts";

const [NAV, SIG, FRAMES, PIXELS] = [[4, 5], [24, 40], 20, 960] as const;
const COUNTS = counts(FRAMES * PIXELS, 5, 30000);

/** Masks with `share` of their weights, whole or not. */
function masksOf(count: number, share: number, whole: boolean): number[][] {
  return Array.from({ length: count }, (_, m) =>
    Array.from({ length: PIXELS }, (_, i) => {
      const there = ((i + 17 * m) * 2654435761 >>> 0) % 10000 < 10000 * share;
      return there ? (whole ? 1 + (i + m) % 7 : Math.sin(i + m)) : 0;
    }));
}

const arrays = (masks: number[][], dtype: "float64" | "int16" = "float64") =>
  masks.map((mask) =>
    ndarray(dtype === "int16" ? Int16Array.from(mask) : Float64Array.from(mask), SIG, dtype)
  );

/** An entry after the other, in f64. */
function plainProducts(values: ArrayLike<number>, masks: number[][]): number[] {
  return Array.from(
    { length: FRAMES },
    (_, f) =>
      masks.map((mask) => mask.reduce((sum, w, p) => w === 0 ? sum : sum + w * values[f * PIXELS + p]!, 0)),
  ).flat();
}

async function products(dataset: StoredDataset, options: MaskOptions, more: PlanOptions = {}, extra = {}) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const it = applyMasks(options);
  const results = await run(await plan(dataset, { it, ...extra }, { context, ...more }));
  return numbers(results.it!.intensity!.data);
}

const valuesFor = (dtype: DType, values: ArrayLike<number> = COUNTS) =>
  Array.from(values, (v) => {
    const x = dtype.startsWith("float") ? v * Math.PI : dtype === "uint8" ? v % 200 : v;
    return dtype === "float32" ? Math.fround(x) : x;
  });

for (const dtype of ["uint8", "uint16", "int32", "float32", "float64"] as const) {
  Deno.test(`${dtype}: sparse masks give the plain products, for any form, order and tiles`, async () => {
    const deep = udf(import.meta.resolve("../own_udf.ts"), { export: "deep" });
    for (const whole of [true, false]) {
      const masks = masksOf(70, 0.02, whole);
      const values = valuesFor(dtype);
      const expected = plainProducts(values, masks);
      const options = { masks: arrays(masks), useSparse: true };
      assertEquals(await products(memoryScan(values, NAV, SIG, dtype), options), expected);
      const swapped = memoryScan(values, NAV, SIG, dtype, { order: "big", frameHeaderBytes: 3 });
      assertEquals(await products(swapped, options, { tileBytes: 4096 }, { deep }), expected);
      assertEquals(await products(csrScan(values, NAV, SIG, dtype), options), expected);
      assertEquals(
        await products(csrScan(values, NAV, SIG, dtype), options, { backends: ["dense"] }),
        expected,
      );
    }
  });

  Deno.test(`${dtype}: dense masks on sparse frames give the bits of dense frames`, async () => {
    const values = valuesFor(dtype, sparseCounts(FRAMES, PIXELS));
    for (const whole of [true, false]) {
      for (const useSparse of [false, true, "auto"] as const) {
        const options = { masks: arrays(masksOf(5, 0.6, whole)), useSparse };
        const expected = await products(memoryScan(values, NAV, SIG, dtype), options);
        assertEquals(await products(csrScan(values, NAV, SIG, dtype), options), expected);
        const close = plainProducts(values, masksOf(5, 0.6, whole));
        expected.forEach((value, i) =>
          assertAlmostEquals(value, close[i]!, 1e-5 * Math.max(1, ...close.map(Math.abs)))
        );
      }
    }
  });
}

Deno.test("rows longer than a piece of 1024 samples", async () => {
  const [nav, sig] = [[3], [4, 2500]] as const;
  const values = Array.from(sparseCounts(3, 10000), (v) => Math.fround(v * Math.E));
  const weights = Float64Array.from({ length: 10000 }, (_, i) => Math.cos(i));
  for (const dtype of ["float32", "float64"] as const) {
    const options = { masks: [ndarray(weights, sig, "float64")], useSparse: false };
    const expected = await products(memoryScan(values, nav, sig, dtype), options);
    assertEquals(await products(csrScan(values, nav, sig, dtype), options), expected);
  }
});

Deno.test("whole numbers: sparse and dense masks count alike", async () => {
  const any = fc.record({
    share: fc.double({ min: 0, max: 0.3, noNaN: true }),
    count: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ share, count, seed }) => {
      const scan = memoryScan(COUNTS.map((v) => (v * (seed + 1)) % 30011), NAV, SIG, "uint16");
      const masks = arrays(masksOf(count, share, true), "int16");
      const of = (useSparse: boolean | "auto") => products(scan, { masks, useSparse });
      const expected = await of(false);
      assertEquals(await of(true), expected);
      assertEquals(await of("auto"), expected);
    }),
    { numRuns: 15, seed: 11 },
  );
});

Deno.test("auto: by the share of weights in the rows that masks reach, and the plan says so", async () => {
  const note = async (
    dtype: DType,
    share: number,
    weights: "whole" | "single" | "double",
    useSparse?: boolean,
  ) => {
    const made = masksOf(4, share, weights === "whole");
    const masks = arrays(weights === "single" ? made.map((mask) => mask.map(Math.fround)) : made);
    const it = applyMasks({ masks, ...(useSparse === undefined ? {} : { useSparse }) });
    return (await plan(memoryScan(valuesFor(dtype), NAV, SIG, dtype), { it })).explain();
  };
  assertStringIncludes(await note("uint16", 0.01, "whole"), "masks sparse, as ");
  assertStringIncludes(await note("uint16", 0.06, "whole"), "masks dense, as 5.");
  assertStringIncludes(await note("uint16", 0.06, "single"), "masks sparse, as 5.");
  assertStringIncludes(
    await note("float32", 0.12, "single"),
    "masks dense, as ",
  );
  assertStringIncludes(await note("float32", 0.12, "double"), "masks sparse");
  assertStringIncludes(await note("float64", 0.12, "double"), "masks sparse");
  assertStringIncludes(await note("float64", 0.01, "double", false), "masks dense as asked for");
  const disk = applyMasks({ masks: [{ cy: 12, cx: 20, ro: 3 }] });
  const text = (await plan(memoryScan(COUNTS, NAV, SIG, "uint16"), { disk })).explain();
  assertStringIncludes(text, "masks dense"); // 29 of the 280 pixels in its rows
});

Deno.test("lists of weights, complex masks, shifts, regions of interest", async () => {
  const masks = masksOf(3, 0.01, false);
  const entries = masks.flatMap((mask, m) => mask.flatMap((w, p) => w === 0 ? [] : [[m, p, w] as const]));
  const list = sparseMasks(
    [3, ...SIG],
    entries.map(([m]) => m),
    entries.map(([, p]) => p),
    Float64Array.from(entries, ([, , w]) => w),
    "float64",
  );
  const scan = memoryScan(COUNTS, NAV, SIG, "uint16");
  const expected = plainProducts(COUNTS, masks);
  assertEquals(await products(scan, { masks: [list] }), expected);
  assertStringIncludes((await plan(scan, { it: applyMasks({ masks: [list] }) })).explain(), "masks sparse");
  const roi = [[0, 1], [3, 3]];
  const some = await products(scan, { masks: [list] }, { roi });
  assertEquals(some.filter((v) => !Number.isNaN(v)), [...expected.slice(3, 6), ...expected.slice(54, 57)]);
  const complex = ndarray(
    Float64Array.from({ length: 2 * PIXELS }, (_, i) => masks[i % 2]![i >> 1]!),
    SIG,
    "complex128",
  );
  const pairs = await products(scan, { masks: [complex], useSparse: true });
  assertEquals(pairs, Array.from({ length: FRAMES }, (_, f) => expected.slice(3 * f, 3 * f + 2)).flat());
  const shifted = await products(scan, { masks: arrays(masks), shifts: [1, -2], useSparse: true });
  const dense = await products(scan, { masks: arrays(masks), shifts: [1, -2], useSparse: false });
  shifted.forEach((value, i) => assertAlmostEquals(value, dense[i]!, 1));
  const moving = ndarray(Int32Array.from({ length: 2 * FRAMES }, (_, i) => i % 3), [...NAV, 2], "int32");
  const frames = await products(scan, { masks: arrays(masks), shifts: moving, useSparse: true });
  assertEquals(frames, await products(scan, { masks: arrays(masks), shifts: moving, useSparse: false }));
});

Deno.test("complex frames meet sparse masks", async () => {
  const masks = masksOf(2, 0.02, true);
  const values = COUNTS.map((v) => v % 1000);
  const scan = memoryScan(values, NAV, [24, 20], "complex128");
  const half = arrays(masks).map(({ data }) =>
    ndarray((data as Float64Array).slice(0, 480), [24, 20], "float64")
  );
  assertEquals(
    await products(scan, { masks: half, useSparse: true }),
    await products(scan, { masks: half, useSparse: false }),
  );
  assert((await products(scan, { masks: half })).some((v) => v !== 0));
});

Deno.test("masks that are kept as lists have the weights of dense ones, whatever overlaps", () => {
  const any = fc.record({
    mask: fc.nat(4),
    pixel: fc.nat(59),
    value: fc.constantFrom(0, -0, 1, -1, 0.1, NaN, 1e30),
  });
  fc.assert(fc.property(fc.array(any), fc.constantFrom("float64", "float32"), (entries, dtype) => {
    const [masks, pixels] = [entries.map(({ mask }) => mask), entries.map(({ pixel }) => pixel)];
    const numbers = entries.map(({ value }) => value);
    const values = dtype === "float32" ? Float32Array.from(numbers) : Float64Array.from(numbers);
    const stack = sparseMasks([5, 6, 10], masks, pixels, values, dtype as DType);
    const dense = Array.from(denseMasks(stack).data as Float64Array, (value) => value + 0); // −0 is not a weight
    assertEquals(maskWeights([stack], [6, 10]).flatMap((mask) => Array.from(mask.values)), dense);
    for (const { list } of maskWeights([stack], [6, 10])) {
      assert(list!.pixels.every((pixel, i) => i === 0 || pixel > list!.pixels[i - 1]!));
      assert(Array.from(list!.values).every((value) => value !== 0));
    }
  }));
});

Deno.test("sparse stacks of complex weights are pairs, and are not kept as lists", () => {
  const stack = sparseMasks([2, 2, 2], [1, 1], [3, 3], Float64Array.of(1, 2, 3, 4), "complex128");
  const [none, both] = maskWeights([stack], [2, 2]);
  assertEquals([none!.complex, both!.complex, both!.list], [true, true, undefined]);
  assertEquals(Array.from(both!.values), [0, 0, 0, 0, 0, 0, 4, 6]);
});

Deno.test("disks and rings have the pixels of those that are looked for everywhere", () => {
  const number = fc.double({ min: -9, max: 70, noNaN: true });
  const radius = fc.double({ min: 0, max: 60, noNaN: true });
  const any = fc.record({ cy: number, cx: number, ro: radius, ri: fc.option(radius, { nil: undefined }) });
  const found = { small: 0, large: 0 };
  const all = (disk: { cy: number; cx: number; ro: number; ri?: number }): number[] => {
    const { cy, cx, ro, ri } = disk;
    try {
      const { data } = ri === undefined
        ? circular([64, 61], { cy, cx, r: ro })
        : ring([64, 61], { cy, cx, ro, ri });
      return [...(data as Uint8Array).keys()].filter((i) => data[i]);
    } catch (error) {
      assertStringIncludes(String(error), "no pixel");
      return [];
    }
  };
  fc.assert(
    fc.property(any, fc.boolean(), ({ ri, ...disk }, whole) => {
      const { cy, cx, ro } = whole
        ? { cy: Math.round(disk.cy), cx: Math.round(disk.cx), ro: Math.round(disk.ro) }
        : disk;
      const one = { cy, cx, ro, ...(ri === undefined || ri >= ro ? {} : { ri }) };
      const made = ringOf([64, 61], one);
      found["pixels" in made ? "small" : "large"]++;
      const own = "pixels" in made ? [...made.pixels] : [...made.frame.keys()].filter((i) => made.frame[i]);
      assertEquals(own, all(one));
    }),
    {
      examples: [[{ cy: 30, cx: 30, ro: 60, ri: undefined }, true], [
        { cy: 31.5, cx: 30, ro: 55, ri: 2 },
        false,
      ]],
    },
  );
  assert(found.small > 20 && found.large > 0, JSON.stringify(found));
});
