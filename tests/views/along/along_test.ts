/** Every operation along some dimensions gives what it gives for each image of the others alone. */

import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { type Context, createContext } from "../../../src/runner/context.ts";
import type { AxisFacts, AxisKind } from "../../../src/space/axes.ts";
import { type DType, typedArray } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import type { PlainArray } from "../../../src/views/array.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { median } from "../../../src/views/operations/filters/rank.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { memoryArray } from "../data.ts";
import { OPERATION_ROWS } from "../operations/table.ts";
import { drawing } from "../sinks/every_sink.ts";

/** Shapes, and the dimensions of an image. */
const CASES: readonly (readonly [shape: Shape, dims: readonly number[]])[] = [
  [[3, 20, 31], [1, 2]],
  [[20, 31, 3], [0, 1]], // colours of a pixel side by side
  [[2, 12, 3, 17], [1, 3]],
  [[2, 9, 11, 13], [1, 2, 3]],
  [[4, 40], [1]],
];

/** Whole numbers, so that no sum depends on its order. */
const sample = (seed: number, dtype: DType) => (flat: number) => {
  const hashed = Math.imul(flat + seed, 0x9e3779b1) >>> 12;
  return dtype === "bool" ? hashed % 2 : hashed % 100;
};

const pick = (values: Shape, dims: readonly number[]) => dims.map((d) => values[d]!);

/** The images of an array one by one: the place of each in the other dimensions, and what it is as an array. */
function* imagesOf(array: PlainArray, dims: readonly number[], value: (flat: number) => number) {
  const others = [...array.shape.keys()].filter((d) => !dims.includes(d));
  const counts = pick(array.shape, others);
  for (let flat = 0; flat < sizeOf(counts); flat++) {
    const place = array.shape.map(() => 0);
    for (const [n, i] of unravel(flat, counts).entries()) place[others[n]!] = i;
    const shape = pick(array.shape, dims);
    const image = memoryArray(shape, array.dtype, (inside) => {
      const at = [...place];
      for (const [n, i] of unravel(inside, shape).entries()) at[dims[n]!] = i;
      return value(ravel(at, array.shape));
    });
    yield { place, image };
  }
}

/** What `work` gives for each image, put together. */
async function oneByOne(
  array: PlainArray,
  dims: readonly number[],
  value: (flat: number) => number,
  operation: ViewOperation,
  context: Context,
): Promise<{ readonly shape: Shape; readonly data: ArrayLike<number | bigint> }> {
  let shape: Shape = [], data: ArrayLike<number | bigint> & { [n: number]: number | bigint } = [];
  for (const { place, image } of imagesOf(array, dims, value)) {
    const made = await mapViews(image, operation, { context });
    if (shape.length === 0) {
      shape = array.shape.map((n, d) => dims.includes(d) ? made.shape[dims.indexOf(d)]! : n);
      const size = sizeOf(shape);
      data = typedArray(made.dtype, new ArrayBuffer(size * made.data.BYTES_PER_ELEMENT), 0, size);
    }
    for (let i = 0; i < made.data.length; i++) {
      const at = [...place];
      for (const [n, p] of unravel(i, made.shape).entries()) at[dims[n]!] = p;
      data[ravel(at, shape)] = made.data[i]!;
    }
  }
  return { shape, data };
}

for (const [n, name] of (Object.keys(OPERATION_ROWS) as (keyof typeof OPERATION_ROWS)[]).entries()) {
  Deno.test(`${name} along some dimensions is that of each image`, async () => {
    await using context = createContext({ workers: 0 });
    const draw = drawing(17 * n + 3);
    const row = OPERATION_ROWS[name];
    for (const [shape, dims] of CASES) {
      const dtype = row.dtypes[draw(row.dtypes.length)]!;
      const value = sample(draw(1000), dtype);
      const array = memoryArray(shape, dtype, value);
      const operation = row.operation(dims.map((_, d) => row.reaches(d, dims.length) ? 1 : 0), dtype);
      if (await seesAll(operation)) continue;
      const tile = shape.map((n) => Math.max(1, n - draw(n)));
      const factor = row.factor ?? 1;
      const whole = tile.map((n) => Math.ceil(n / factor) * factor);
      const found = await mapViews(array, operation, { axes: dims, tile: whole, context });
      const expected = await oneByOne(array, dims, value, operation, context);
      const what = `${name} of ${shape} ${dtype} along ${dims}, tiles of ${whole}`;
      assertEquals(found.shape, expected.shape, what);
      assertEquals(Array.from(found.data as ArrayLike<unknown>), Array.from(expected.data), what);
    }
  });
}

/** Whether an operation sees arrays in all their dimensions: functions and kernels of users. */
async function seesAll({ operation }: ViewOperation): Promise<boolean> {
  const { operationNamed } = await import("../../../src/views/registry.ts");
  return (await operationNamed(operation)).whole === true;
}

const axesOf = (...kinds: AxisKind[]): AxisFacts[] => kinds.map((kind, d) => ({ name: `d${d}`, kind }));

Deno.test("images are what a data set says", async () => {
  await using context = createContext({ workers: 0 });
  const plain = memoryArray([2, 12, 14], "uint16", sample(1, "uint16"));
  const planFor = async (axes: AxisFacts[] | undefined, more = {}) => {
    const { facts: { halo } } = await planMap(
      axes ? { ...plain, axes } : plain,
      localMaximum({ radius: 1 }),
      {
        context,
        ...more,
      },
    );
    return halo.front;
  };
  assertEquals(await planFor(axesOf("channel", "space", "space")), [0, 1, 1]);
  assertEquals(await planFor(axesOf("time", "space", "space")), [0, 1, 1]);
  assertEquals(await planFor(axesOf("scan", "detector", "detector")), [0, 1, 1]);
  assertEquals(await planFor(axesOf("space", "space", "space")), [1, 1, 1]);
  assertEquals(await planFor(undefined), [1, 1, 1]);
  assertEquals(await planFor(axesOf("channel", "space", "space"), { axes: "all" }), [1, 1, 1]);
  assertEquals(await planFor(axesOf("channel", "space", "space"), { axes: ["d2"] }), [0, 0, 1]);
  assertEquals(await planFor(axesOf("scan", "detector", "detector"), { axes: ["scan"] }), [1, 0, 0]);
  assertEquals(await planFor(axesOf("channel", "space", "space"), { axes: ["c", "d2"] }), [1, 0, 1]);
});

Deno.test("lists of parameters for all dimensions are of all dimensions", async () => {
  await using context = createContext({ workers: 0 });
  const array = {
    ...memoryArray([3, 12, 14], "uint16", sample(2, "uint16")),
    axes: axesOf("channel", "space", "space"),
  };
  const all = await planMap(array, gaussian({ sigma: [1, 2, 2] }), { context });
  assertEquals(all.facts.halo.front, [4, 8, 8]);
  const inside = await planMap(array, gaussian({ sigma: [1, 2] }), { context });
  assertEquals(inside.facts.halo.front, [0, 4, 8]);
});

for (const workers of [0, 2]) {
  Deno.test(`a chain of several steps works on each image, ${workers} workers`, async () => {
    await using context = createContext({ workers });
    const value = sample(3, "uint8");
    const array = memoryArray([3, 22, 30], "uint8", value);
    const steps = [
      median({ radius: 1 }),
      downSample({ factor: 2, reduce: "max" }),
      boxMean({ radius: 1 }),
    ] as const;
    const found = await mapViews(array, steps, { axes: [1, 2], context });
    assertEquals(found.shape, [3, 11, 15]);
    const expected = await oneByOne(
      array,
      [1, 2],
      value,
      (await import("../../../src/views/operations/chain.ts")).chain([...steps]),
      context,
    );
    assertEquals(Array.from(found.data), Array.from(expected.data as ArrayLike<number>));
  });
}

Deno.test("labels do not cross images", async () => {
  await using context = createContext({ workers: 0 });
  const draw = drawing(5);
  for (const connectivity of [1, 2]) {
    for (const tile of [[1, 7, 9], [2, 7, 9], [3, 20, 31], [3, 4, 31]]) {
      const seed = draw(1000);
      const value = (flat: number) => Math.imul(flat + seed, 0x9e3779b1) >>> 12 & 1;
      const array = memoryArray([3, 20, 31], "uint8", value);
      const { labels, count } = await labelImage(array, { axes: [1, 2], connectivity, tile, context });
      let before = 0;
      const expected: number[] = [];
      for (const { image } of imagesOf(array, [1, 2], value)) {
        const one = await labelImage(image, { connectivity, context });
        expected.push(...Array.from(one.labels.data, (n) => n === 0 ? 0 : n + before));
        before += one.count;
      }
      assertEquals(count, before);
      assertEquals(Array.from(labels.data), expected, `tiles of ${tile}, connectivity ${connectivity}`);
    }
  }
});

Deno.test("what takes means over two dimensions does so for each image of a stack, with one number or none", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([3, 12, 14], "uint16", sample(5, "uint16"));
  for (const radius of [undefined, 2]) {
    const own = boxMean(radius === undefined ? {} : { radius });
    const found = await mapViews(array, [gaussian({ sigma: 1 }), own], { context });
    const asked = boxMean({ radius: [0, radius ?? 1, radius ?? 1] });
    const expected = await mapViews(array, [gaussian({ sigma: 1 }), asked], { context });
    assertEquals(found.data, expected.data);
  }
});

Deno.test("the radius of views counts along the dimensions of an image", async () => {
  await using context = createContext({ workers: 0 });
  const array = {
    ...memoryArray([3, 12, 14], "uint16", sample(5, "uint16")),
    axes: axesOf("channel", "space", "space"),
  };
  for (const operation of [boxMean, localMaximum, median]) {
    const expected = await mapViews(array, operation({ radius: 2 }), { context });
    for (const radius of [2, [0, 2, 2]]) {
      const found = await mapViews(array, operation(), { radius, context });
      assertEquals(found.data, expected.data, `${operation().name} with views of radius ${radius}`);
    }
  }
});

Deno.test("axes that are not there are refused with those that are", async () => {
  await using context = createContext({ workers: 0 });
  const array = { ...memoryArray([3, 12, 14], "uint16"), axes: axesOf("channel", "space", "space") };
  const ask = (axes: (string | number)[]) => () => mapViews(array, boxMean(), { axes, context });
  await assertRejects(ask(["z"]), Error, 'there is no dimension z; there are 0 "d0", 1 "d1", 2 "d2"');
  await assertRejects(ask([3]), Error, "there is no dimension 3");
  const twice = { ...array, axes: [{ name: "y" }, { name: "y" }, { name: "x" }] };
  await assertRejects(
    () => mapViews(twice, boxMean(), { axes: ["y"], context }),
    Error,
    "two dimensions are called y",
  );
  await assertRejects(
    () => labelImage(array, { axes: [0, 1], context }),
    Error,
    "Cannot label the 14 samples of a pixel one by one (d2)",
  );
});

Deno.test("results have the axes of what was filtered", async () => {
  await using context = createContext({ workers: 0 });
  const axes: AxisFacts[] = [
    { name: "channel", kind: "channel", names: ["DAPI", "GFP", "RFP"] },
    { name: "y", kind: "space", scale: 0.5, unit: "µm" },
    { name: "x", kind: "space", scale: 0.5, offset: 10, unit: "µm" },
  ];
  const array = { ...memoryArray([3, 12, 14], "uint16"), axes };
  const small = await mapViews(array, [gaussian({ sigma: 1 }), downSample({ factor: 4 })], { context });
  assertEquals(small.axes, [
    axes[0]!,
    { name: "y", kind: "space", scale: 2, offset: 0.75, unit: "µm" },
    { name: "x", kind: "space", scale: 2, offset: 10.75, unit: "µm" },
  ]);
  const first = await mapViews(array, downSample({ factor: 4, reduce: "nearest" }), { context });
  assertEquals(first.axes![2]!.offset, 10);
});
