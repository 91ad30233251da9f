/** Chains of operations: one pass gives the bits of one run per step. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import type { DType } from "../../../src/space/dtype.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { mapViews, type MapViewsOptions } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { chain } from "../../../src/views/operations/chain.ts";
import { borderFunction } from "../../../src/views/extend.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import {
  blackTopHat,
  closing,
  opening,
  whiteTopHat,
} from "../../../src/views/operations/filters/morphology.ts";
import { localMaximum, localMinimum } from "../../../src/views/operations/local_extremes.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { memoryArray } from "../data.ts";

const MODULE = import.meta.resolve("../operations/functions.ts");

/** Chains for an array of some rank. */
function chains(rank: number): Readonly<Record<string, ViewOperation[]>> {
  const planes = (r: number) => Array.from({ length: rank }, (_, d) => d < rank - 2 ? 0 : r);
  const some = Array.from({ length: rank }, (_, d) => (d + 1) % 3);
  const width = 1000;
  const place = { export: "place", input: "float64", dtype: "float64", params: { width } } as const;
  const uneven = {
    export: "ends",
    radius: { front: 2, back: 1 },
    input: "float64",
    dtype: "float64",
  } as const;
  return {
    opening: [localMinimum({ radius: 1 }), localMaximum({ radius: 1 })],
    "means of means": [boxMean({ radius: planes(2) }), boxMean({ radius: planes(1) })],
    "three steps": [
      localMaximum({ radius: some }),
      localMinimum({ radius: 2 }),
      boxMean({ radius: planes(1) }),
    ],
    smaller: [localMaximum({ radius: 1 }), downSample({ factor: 2 }), boxMean({ radius: planes(2) })],
    "smaller twice": [
      downSample({ factor: 3, reduce: "max" }),
      localMinimum({ radius: 1 }),
      downSample({ factor: 2 }),
    ],
    uneven: [viewFunction(MODULE, uneven), localMaximum({ radius: 1 }), viewFunction(MODULE, uneven)],
    function: [localMaximum({ radius: 2 }), viewFunction(MODULE, place), localMinimum({ radius: some })],
  };
}

async function stepByStep(
  steps: readonly ViewOperation[],
  shape: Shape,
  dtype: DType,
  sample: (i: number) => number,
  options: MapViewsOptions,
): Promise<number[]> {
  let [type, values] = [dtype, Array.from({ length: sizeOf(shape) }, (_, i) => sample(i))];
  for (const step of steps) {
    const result: NDArray = await mapViews(memoryArray(shape, type, (i) => values[i]!), step, options);
    [shape, type, values] = [result.shape, result.dtype, Array.from(result.data, Number)];
  }
  return values;
}

function noise(dtype: DType): (i: number) => number {
  if (dtype === "bool") return (i) => (i * 7919 + 3) % 3 === 0 ? 1 : 0;
  return dtype.startsWith("float")
    ? (i) => Math.fround(((i * 7919 + 13) % 251 - 100) / 7)
    : (i) => (i * 7919 + 13) % 127;
}

const CASES: readonly (readonly [shape: Shape, tile: Shape])[] = [
  [[11], [4]],
  [[2], [1]],
  [[7, 9], [3, 4]],
  [[3, 40], [2, 16]],
  [[1, 5], [1, 2]],
  [[3, 4, 5], [1, 2, 4]],
  [[12, 18], [6, 6]],
];

async function compare(
  workers: Context,
  dtypes: readonly DType[],
  which: (n: number) => boolean,
): Promise<number> {
  let [n, compared] = [0, 0];
  for (const [shape, tile] of CASES) {
    for (const [name, steps] of Object.entries(chains(shape.length))) {
      const mixed = shape.map((_, d) => (["reflect", "wrap", "constant"] as const)[(d + shape.length) % 3]!);
      for (const border of [...Object.keys(BORDERS) as Border[], mixed]) {
        const dtype = dtypes[n % dtypes.length]!;
        const traversal = n % 2 === 0 ? "row-major" : "snake";
        if (!which(n++)) continue;
        const factor = name === "smaller twice" ? 6 : name === "smaller" ? 2 : 1;
        if (border.includes("wrap") && shape.some((n) => n % factor > 0)) continue; // refused, see below
        const options = { border, fill: dtype === "bool" ? 1 : 5, context: workers };
        const expected = await stepByStep(steps, shape, dtype, noise(dtype), options);
        const array = memoryArray(shape, dtype, noise(dtype), n % 3 === 0 ? "big" : "little");
        const { data } = await mapViews(array, chain(steps), {
          ...options,
          tile: tile.map((n) => Math.ceil(n / factor) * factor),
          traversal,
        });
        assertEquals(Array.from(data, Number), expected, `${name} ${shape} ${tile} ${dtype} ${border}`);
        compared++;
      }
    }
  }
  return compared;
}

Deno.test("a chain in one pass has the bits of one run per step, for every border", async () => {
  await using context = createContext({ workers: 0 });
  const dtypes: DType[] = ["uint8", "int16", "float32", "bool", "uint32", "float64", "int8"];
  assert(await compare(context, dtypes, () => true) >= 100);
});

Deno.test("operations that look at the end of the array see the end of what a step before them made", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([1, 12], "uint8", (i) => [1, 9, 2, 8, 3, 7, 4, 6, 0, 1, 9, 1][i]!);
  const down = downSample({ factor: [1, 2], reduce: "max" });
  const radius = [0, 1];
  // of 9 8 7 6 1 9, with the edge repeated; as scipy.ndimage with mode="nearest"
  assertEquals(
    (await mapViews(array, [down, opening({ radius })], { context })).data,
    Uint8Array.of(8, 8, 7, 6, 1, 1),
  );
  assertEquals(
    (await mapViews(array, [down, closing({ radius })], { context })).data,
    Uint8Array.of(9, 8, 7, 7, 7, 9),
  );
  assertEquals(
    (await mapViews(array, [down, whiteTopHat({ radius })], { context })).data,
    Uint8Array.of(1, 0, 0, 0, 0, 8),
  );
  assertEquals(
    (await mapViews(array, [down, blackTopHat({ radius })], { context })).data,
    Uint8Array.of(0, 0, 0, 1, 6, 0),
  );
});

Deno.test("a chain on two workers has the same bits", async () => {
  await using context = createContext({ workers: 2 });
  assert(await compare(context, ["uint16", "float32"], (n) => n % 7 === 3) >= 10);
});

Deno.test("the plan of a chain shows its steps, its halo and all of its memory", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([100, 80], "uint8");
  const steps = [
    localMinimum({ radius: 2 }),
    boxMean({ radius: 1 }),
    localMaximum({ radius: [0, 3] }),
  ] as const;
  const plan = await planMap(array, steps, { tile: [32, 40], context });
  assertEquals([plan.dtype, plan.facts.radius, plan.views.radius], ["float32", [3, 6], [3, 6]]);
  assertEquals(plan.explain().split("\n").slice(0, 4), [
    "localMinimum → boxMean → localMaximum over 100 × 80 uint8: 100 × 80 float32",
    "step 1, localMinimum: uint8 to uint8, halo of 2 × 2, 34 × 48 samples per tile",
    "step 2, boxMean: uint8 to float32, halo of 1 × 1, 32 × 46 samples per tile",
    "step 3, localMaximum: float32 to float32, halo of 0 × 3, 32 × 40 samples per tile",
  ]);
  const alone = await planMap(array, steps[0], { tile: [32, 40], radius: [3, 6], context });
  assert(plan.memory.slab >= alone.memory.slab + 34 * 48 + 32 * 46 * 4);
});

Deno.test("a chain of chains is a chain of their steps, and a chain of one operation is that operation", async () => {
  const [a, b] = [localMinimum(), boxMean()];
  assertEquals(chain([chain([a, b]), a]).name, "localMinimum → boxMean → localMinimum");
  assertEquals(chain([a]), a);
  await using context = createContext({ workers: 0 });
  const mean = await mapViews(memoryArray([4, 4], "uint8"), [a, b], { context });
  const typed: Float32Array | Float64Array = mean.data; // the type of the last step
  assertEquals(typed.length, 16);
});

Deno.test("what cannot be chained is refused", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([2, 8, 8], "uint8");
  const refused = async (steps: readonly ViewOperation[], options: MapViewsOptions, ...words: string[]) => {
    const error = await assertRejects(
      () => mapViews(array, chain(steps), { ...options, context }),
      TilewiseError,
    );
    for (const word of words) assertStringIncludes(error.message, word);
  };
  assertThrows(() => chain([]), TilewiseError, "one operation or more");
  assertThrows(() => chain([boxMean(), 5 as never]), TilewiseError, "chain() takes an operation over views");
  const wide = viewFunction(MODULE, { export: "place", input: "float64", dtype: "int64" });
  await refused([wide, localMinimum()], {}, "localMinimum over the result of place", "samples of int64");
  await refused(
    [localMinimum(), boxMean({ radius: [1, 1, 1] })],
    {},
    "boxMean() takes means over the last two dimensions",
  );
  const half = downSample({ factor: [1, 3, 1] });
  await refused(
    [half, localMinimum()],
    { border: "wrap" },
    "wrap around the result of downSample",
    "8",
    "of 3",
  );
  await refused([localMinimum(), half], { tile: [1, 4, 8] }, "use tiles of 1 × 6 × 8");
  await refused([downSample({ factor: [2, 2] })], {}, "downSample", "takes 3");
  const cut = threshold({ value: 5 });
  await refused([cut, localMinimum()], { border: "constant", fill: 7 }, "Cannot fill samples of bool with 7");
  const far = borderFunction((i, n) => (i < 0 ? n - 1 : i - n));
  await refused(
    [localMinimum(), localMinimum()],
    { border: far, tile: [1, 2, 2] },
    "sample 7 at position -1",
    "one by one",
  );
  await refused([localMinimum(), localMinimum({ radius: 2 })], { radius: 2 }, "looks at 3, 3, 3 samples");
  await refused([localMinimum({ radius: [1, 1] }), localMinimum()], {}, "radius 2, 2", "3");
  await refused(
    [localMinimum({ radius: [1, 1] }), localMinimum({ radius: [1, 1, 1] })],
    {},
    "of 3 and of 2 dimensions",
  );
});

Deno.test("between the two steps of opening there is no border of your own, in no dimension", async () => {
  await using context = createContext({ workers: 0 });
  const own = borderFunction(() => 0);
  for (const border of [own, [own, "reflect"], ["reflect", own]] as const) {
    await assertRejects(
      () => mapViews(memoryArray([4, 4], "uint8"), opening({ radius: 1 }), { border, context }),
      TilewiseError,
      "A border of your own is not supported between the two steps",
    );
  }
});
