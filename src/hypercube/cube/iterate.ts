/**
 * Iteration over a cube in chunks: ranges, slices or changes of some dimensions, cubes whose window is the chunk, or the
 * windows of one array.
 *
 * A chunk lies in the whole range of a dimension, whatever its window, unless the stride says `"window"`: then the window is
 * cut, which divides a chunk further. The last chunk of a dimension may be smaller.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, withOption } from "../../options.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import type { Hypercube, Slice } from "./cube.ts";
import type { DimensionChange, Extent } from "./dimension.ts";

/**
 * A dimension, the number of samples of a chunk along it, and whether to cut the `whole` dimension or its `window`. Default
 * `whole`.
 * @category Hypercubes
 */
export type Stride = readonly [dimension: string, extent: number, range?: "whole" | "window"];

/**
 * The ranges of all chunks that cover the named dimensions, the first dimension slowest.
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { extentIter } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({ dimensions: { ntime: 10, nchan: 4 }, arrays: [] });
 * assertEquals([...extentIter(cube, ["ntime", 6], ["nchan", 4])], [[[0, 6], [0, 4]], [[6, 10], [0, 4]]]);
 * ```
 * @category Hypercubes
 */
export function extentIter(cube: Hypercube, ...strides: readonly Stride[]): Generator<Extent[]> {
  return product(chunksOf(cube, strides));
}

/**
 * The chunks of {@link extentIter} as `start` and `stop` of each named dimension.
 * @category Hypercubes
 */
export function sliceIter(cube: Hypercube, ...strides: readonly Stride[]): Generator<Slice[]> {
  return mapped(extentIter(cube, ...strides), (extents) => extents.map(([start, stop]) => ({ start, stop })));
}

/**
 * The chunks of {@link extentIter} as changes of the dimensions, which `cube.with()` takes.
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { dimensionIter } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({ dimensions: { ntime: 10 }, arrays: [] });
 * const windows = [...dimensionIter(cube, ["ntime", 6])].map((change) => cube.with(change).extents("ntime"));
 * assertEquals(windows, [[[0, 6]], [[6, 10]]]);
 * ```
 * @category Hypercubes
 */
export function dimensionIter(
  cube: Hypercube,
  ...strides: readonly Stride[]
): Generator<Record<string, DimensionChange>> {
  return mapped(
    extentIter(cube, ...strides),
    (extents) => Object.fromEntries(extents.map(([lower, upper], d) => [strides[d]![0], { lower, upper }])),
  );
}

/**
 * One cube per chunk: the windows of the named dimensions are set to the chunk; shapes and bytes follow.
 * @category Hypercubes
 */
export function tileIter(cube: Hypercube, ...strides: readonly Stride[]): Generator<Hypercube> {
  return mapped(dimensionIter(cube, ...strides), (change) => cube.with(change));
}

/** The tiles of {@link tileIter} from tile `first` on; those before it cost next to nothing. */
export function* tilesFrom(
  cube: Hypercube,
  strides: readonly Stride[],
  first: number,
): Generator<Hypercube, void> {
  let tile = -1;
  for (const change of dimensionIter(cube, ...strides)) if (++tile >= first) yield cube.with(change);
}

/** The cube with the window of the first tile, which is the largest one. */
export function firstTile(cube: Hypercube, strides: readonly Stride[]): Hypercube {
  const first = chunksOf(cube, strides).map(({ from, to, step }) => {
    return { lower: from, upper: Math.min(from + step, to) };
  });
  return cube.with(Object.fromEntries(strides.map(([name], d) => [name, first[d]!])));
}

/**
 * The window of an array in one chunk.
 * @category Hypercubes
 */
export interface ArrayChunk {
  /** Its sizes. */
  readonly shape: Shape;
  /** Its ranges, axis by axis. */
  readonly extents: readonly Extent[];
  /** The same as start and stop. */
  readonly slices: readonly Slice[];
}

/**
 * The window of an array in every chunk that differs: strides of dimensions that the array does not have are left out.
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { arrayIter } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ntime: 10, nchan: 4 },
 *   arrays: [{ name: "uvw", shape: ["ntime", 3], dtype: "float64" }],
 * });
 * const shapes = [...arrayIter(cube, "uvw", ["ntime", 6], ["nchan", 2])].map(({ shape }) => shape);
 * assertEquals(shapes, [[6, 3], [4, 3]]);
 * ```
 * @category Hypercubes
 */
export function arrayIter(
  cube: Hypercube,
  name: string,
  ...strides: readonly Stride[]
): Generator<ArrayChunk> {
  const { shape } = cube.array(name);
  chunksOf(cube, strides); // also those that are left out must be right
  const own = strides.filter(([dim]) =>
    shape.some((axis) => axis === dim || follows(cube, String(axis), dim))
  );
  return mapped(tileIter(cube, ...own), (tile) => ({
    shape: tile.arrayShape(name),
    extents: tile.arrayExtents(name),
    slices: tile.arraySlices(name),
  }));
}

/** Whether the window of a dimension follows that of another one. */
export function follows(cube: Hypercube, name: string, other: string): boolean {
  const rule = cube.derivations.get(name);
  return rule?.follows !== undefined && rule.of.some((base) => base === other || follows(cube, base, other));
}

/**
 * Number of chunks of {@link extentIter}.
 * @category Hypercubes
 */
export function chunkCount(cube: Hypercube, ...strides: readonly Stride[]): number {
  const counts = chunksOf(cube, strides).map(({ from, to, step }) => Math.ceil((to - from) / step));
  return checkedProduct(counts, "the number of chunks");
}

/** How a dimension is cut. */
interface Chunks {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

function chunksOf(cube: Hypercube, strides: readonly Stride[]): Chunks[] {
  const names = strides.map(([name]) => name);
  const twice = names.find((name, d) => names.indexOf(name) !== d);
  if (twice !== undefined) {
    throw new TilewiseError("invalid", `Cannot iterate over ${twice} twice; name a dimension once`, {
      found: twice,
    });
  }
  return strides.map(([name, step, range = "whole"]) => {
    const { size, lower, upper } = withOption(name, () => cube.dimension(name));
    if (!Number.isSafeInteger(step) || step < 1) {
      const text = `Cannot iterate over ${name} in steps of ${
        inWords(step)
      }; steps are whole, the least step is 1`;
      throw new TilewiseError("invalid", text, { found: step });
    }
    if (range === "whole") return { from: 0, to: size, step };
    if (range === "window") return { from: lower, to: upper, step };
    const text = `Cannot iterate over the ${inWords(range)} of ${name}; it must be "whole" or "window"`;
    throw new TilewiseError("invalid", text, { found: range });
  });
}

function* product([first, ...rest]: readonly Chunks[]): Generator<Extent[]> {
  if (!first) return yield [];
  for (let lower = first.from; lower < first.to; lower += first.step) {
    const extent: Extent = [lower, Math.min(first.to, lower + first.step)];
    for (const others of product(rest)) yield [extent, ...others];
  }
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item);
}
