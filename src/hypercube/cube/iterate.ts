/**
 * Iteration over a cube in chunks: gives the ranges of some dimensions, or cubes whose window is the chunk.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Extent, Hypercube } from "./cube.ts";

/**
 * A dimension, and the number of samples of a chunk along it.
 * @category Hypercubes
 */
export type Stride = readonly [dimension: string, extent: number];

/**
 * The ranges of all chunks that cover the named dimensions, the first dimension slowest. The last chunk of a dimension
 * may be smaller.
 *
 * @example
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({ dimensions: { ntime: 10, nchan: 4 }, arrays: [] });
 * assertEquals([...extentIter(cube, ["ntime", 6], ["nchan", 4])], [[[0, 6], [0, 4]], [[6, 10], [0, 4]]]);
 * ```
 * @category Hypercubes
 */
export function* extentIter(cube: Hypercube, ...strides: readonly Stride[]): Generator<Extent[]> {
  const chunks = strides.map(([name, extent]) => {
    const { size } = cube.dimension(name);
    if (Number.isSafeInteger(extent) && extent > 0) return { size, extent };
    const text = `Cannot iterate over ${name} in steps of ${extent}; the least step is 1`;
    throw new TilewiseError("invalid", text, { found: extent });
  });
  yield* product(chunks);
}

interface Chunks {
  readonly size: number;
  readonly extent: number;
}

function* product([first, ...rest]: readonly Chunks[]): Generator<Extent[]> {
  if (!first) return yield [];
  for (let lower = 0; lower < first.size; lower += first.extent) {
    const extent: Extent = [lower, Math.min(first.size, lower + first.extent)];
    for (const others of product(rest)) yield [extent, ...others];
  }
}

/**
 * One cube per chunk: the windows of the named dimensions are set to the chunk; shapes and bytes follow.
 * @category Hypercubes
 */
export function* tileIter(cube: Hypercube, ...strides: readonly Stride[]): Generator<Hypercube> {
  for (const extents of extentIter(cube, ...strides)) {
    const changes = strides.map(([name], d) => [name, { lower: extents[d]![0], upper: extents[d]![1] }]);
    yield cube.with(Object.fromEntries(changes));
  }
}

/**
 * Number of chunks of {@link extentIter}.
 * @category Hypercubes
 */
export function chunkCount(cube: Hypercube, ...strides: readonly Stride[]): number {
  return strides.reduce((count, [name, extent]) => count * Math.ceil(cube.dimension(name).size / extent), 1);
}
