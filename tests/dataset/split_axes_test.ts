import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import fc from "fast-check";
import { createContext, open, pickFrames, plan, run } from "../../mod.ts";
import { readBox } from "../../src/cli/inputs/frames.ts";
import type { Dataset, StoredDataset } from "../../src/dataset/dataset.ts";
import { atLevelOf } from "../../src/dataset/families.ts";
import { openAll } from "../../src/formats/open.ts";
import type { OpenOptions } from "../../src/formats/open.ts";
import type { Context } from "../../src/runner/context.ts";
import { wholeBox } from "../../src/space/box.ts";
import { ravel, sizeOf, unravel } from "../../src/space/shape.ts";
import { failure } from "../formats/helpers.ts";
import "../fences/mod.ts";

/** Samples as runs read them: through plans, workers, readers. */
async function framesOf(dataset: Dataset, context: Context): Promise<number[]> {
  const { frames } = await run(await plan(dataset, { frames: pickFrames() }, { context }));
  return [...frames.intensity.data].map(Number);
}

/** `values` of `shape` with dimension `order[d]` as dimension `d`. */
function transposed(values: ArrayLike<number>, shape: readonly number[], order: readonly number[]): number[] {
  const turned = order.map((from) => shape[from]!);
  return Array.from({ length: sizeOf(turned) }, (_, flat) => {
    const at = shape.map(() => 0);
    unravel(flat, turned).forEach((i, d) => at[order[d]!] = i);
    return values[ravel(at, shape)]!;
  });
}

/** A `.npy` file of `values` in Fortran order. */
function fortranNpy(values: Uint16Array, shape: readonly number[]): File {
  const last = [...shape.keys()].reverse();
  const header = `{'descr': '<u2', 'fortran_order': True, 'shape': (${shape.join(", ")},), }`.padEnd(117) +
    "\n";
  const head = Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, header.length, 0);
  return new File([head, header, Uint16Array.from(transposed(values, shape, last))], "fortran.npy");
}

const cases = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }).chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    order: fc.shuffledSubarray(shape.map((_, d) => d), { minLength: shape.length }),
    nav: fc.integer({ min: 0, max: shape.length - 1 }),
    sigDims: fc.integer({ min: 1, max: shape.length }),
    isFortran: fc.boolean(),
  })
);

Deno.test("any axes of an array can be the frame, in any order, also of a file in Fortran order", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  await fc.assert(
    fc.asyncProperty(cases, async ({ shape, order, nav, sigDims, isFortran }) => {
      const data = Uint16Array.from({ length: sizeOf(shape) }, (_, i) => i * 7 + 3);
      const options = { sigDims, navAxes: order.slice(0, nav), sigAxes: order.slice(nav) };
      const dataset = await open(isFortran ? fortranNpy(data, shape) : { data, shape }, options);
      assertEquals(dataset.shape, order.map((from) => shape[from]!));
      assertEquals(dataset.navShape.length, nav);
      assertEquals(await framesOf(dataset, context), transposed(data, shape, order));
    }),
    { numRuns: 60 },
  );
});

const DEEP = new URL("../data/hdf5/source_1.h5", import.meta.url);

Deno.test("the axes of chunks with filters can be split by name or number, on any number of workers", async () => {
  const shape = [4, 5, 6];
  const data = Array.from({ length: sizeOf(shape) }, (_, i) => i + 1000);
  for (const options of [{ navAxes: ["kx"] }, { sigAxes: ["x", "ky"] }, { navAxes: [1], sigAxes: [2, 0] }]) {
    for (const workers of [0, 2]) {
      await using context = createContext({ memory: "64MiB", workers });
      const dataset = await open(DEEP, { array: "deep", ...options });
      const order = "navAxes" in options ? options.navAxes[0] === 1 ? [1, 2, 0] : [2, 0, 1] : [2, 0, 1];
      assertEquals(await framesOf(dataset, context), transposed(data, shape, order));
      assertEquals(dataset.axes.map(({ size }) => size), order.map((from) => shape[from]));
    }
  }
});

/** Files with keyed chunks, shards, entries of an archive, strips and tiles of both byte orders. */
const STORED = ["zarr/keyed.zarr", "zarr/sharded.zarr", "zarr/v3.zip", "tiff/little.tif", "tiff/big_big.tif"];
/** Arrays of a file that are tried. */
const MOST = 12;

Deno.test("the axes of arrays found by keys, in shards, in archives, strips and tiles can be turned around", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  let turned = 0;
  for (const name of STORED) {
    const file = new URL(`../data/${name}`, import.meta.url);
    const arrays = (await openAll(file)).filter(({ shape, dtype }) =>
      shape.length > 1 && sizeOf(shape) < 1e5 && !dtype.startsWith("complex")
    );
    const step = Math.ceil(arrays.length / MOST);
    for (const dataset of arrays.filter((_, i) => i % step === 0)) {
      const order = dataset.shape.map((_, d) => d).reverse();
      const nav = order.length - 2;
      const options = { array: dataset.array, navAxes: order.slice(0, nav), sigAxes: order.slice(nav) };
      const found = await framesOf(await open(file, options), context);
      const samples = await framesOf(dataset, context);
      assertEquals(found, transposed(samples, dataset.shape, order), `${name} ${dataset.array}`);
      turned++;
    }
  }
  assert(turned > 20, `${turned} arrays`);
});

Deno.test("frames that do not fill the scan one by one keep their axes", async () => {
  const bytes = Uint8Array.from({ length: 24 }, (_, i) => i);
  const options = { format: "raw", dtype: "uint8", nav: [2, 3], sig: [2, 2] } as const;
  const axes = { navAxes: [2], sigAxes: [0, 1, 3] };
  assertEquals((await open(bytes, { ...options, ...axes })).shape, [2, 2, 3, 2]);
  for (const other of [{ syncOffset: 1 }, { syncOffset: -2 }, { nav: [2, 2] }, { nav: [2, 4] }]) {
    const error = await failure(open(bytes, { ...options, ...axes, ...other }), "invalid");
    assertStringIncludes(error.message, "its frames do not fill the scan one by one", JSON.stringify(other));
  }
});

Deno.test("axes that there are not, or that are named twice, are refused with what there is", async () => {
  const refuse = async (options: OpenOptions, ...parts: string[]) => {
    const { message } = await failure(open(DEEP, { array: "deep", ...options }), "invalid");
    for (const part of parts) assertStringIncludes(message, part);
  };
  await refuse({ navAxes: ["t"] }, 'no axis "t"', '0 "x", 1 "ky", 2 "kx"');
  await refuse({ navAxes: [3] }, "no axis 3");
  await refuse({ navAxes: ["x"], sigAxes: [0, 1, 2] }, "named once");
  await refuse({ navAxes: ["x"], sigAxes: ["kx"] }, "named once");
});

/** The data set with all that is known inside. */
const opened = async (path: string, options: OpenOptions = {}) => await open(path, options) as StoredDataset;

Deno.test("an image whose axes are split has the same pyramid, split in the same way", async () => {
  const path = fromFileUrl(new URL("../data/zarr/ome05.zip", import.meta.url));
  const plain = await opened(path);
  assertEquals(plain.axes.map(({ name }) => name), ["c", "y", "x"]);
  for (
    const split of [{ navAxes: ["c"], sigAxes: ["x", "y"] }, { sigAxes: [1, 0] }, { navAxes: ["x", "c"] }]
  ) {
    const dataset = await opened(path, split);
    const order = dataset.axes.map(({ name }) => plain.axes.findIndex((axis) => axis.name === name));
    assertEquals(
      dataset.levels.map(({ shape, scale }) => [shape, scale]),
      plain.levels.map(({ shape, scale }) => [order.map((d) => shape[d]!), order.map((d) => scale[d]!)]),
    );
    for (const level of [2, 1]) {
      const other = await atLevelOf(dataset, level);
      const direct = await opened(path, { ...split, level });
      assertEquals([other.level, other.navShape, other.sigShape], [level, direct.navShape, direct.sigShape]);
      assertEquals(other.shape, dataset.levels[level]!.shape);
      const whole = await readBox(await opened(path, { level }), wholeBox(plain.levels[level]!.shape));
      const { data } = await readBox(other, wholeBox(other.shape));
      assertEquals(
        Array.from(data, Number),
        transposed(Array.from(whole.data, Number), plain.levels[level]!.shape, order),
      );
      const back = await atLevelOf(other, 0);
      assertEquals([back.level, back.shape], [0, dataset.shape]);
    }
  }
});
