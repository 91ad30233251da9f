/**
 * Boxes: half-open n-dimensional ranges of samples, and how they are cut.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkedProduct, type Shape, showShape, sizeOf, unravel } from "./shape.ts";

/**
 * A box of samples: `origin` is inside it, `shape` counts samples, slowest dimension first.
 * @category Arrays
 */
export interface Box {
  /** The first sample. */
  readonly origin: readonly number[];
  /** Samples per dimension. */
  readonly shape: readonly number[];
}

/**
 * A box from its first sample and its sizes.
 *
 * @param origin the first sample, slowest dimension first
 * @param shape how many samples there are along each dimension
 * @returns the box
 * @throws {TilewiseError} `invalid` if the two have different lengths
 *
 * @example
 * ```ts
 * import { box } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * assertEquals(box([2, 3], [2, 1]), { origin: [2, 3], shape: [2, 1] });
 * ```
 * @category Arrays
 */
export function box(origin: readonly number[], shape: readonly number[]): Box {
  if (origin.length !== shape.length) {
    throw new TilewiseError(
      "invalid",
      `Cannot make a box: origin has ${origin.length} dimensions, shape has ${shape.length}`,
    );
  }
  return { origin, shape };
}

/** The box that covers a whole array of `shape`. */
export function wholeBox(shape: readonly number[]): Box {
  return box(shape.map(() => 0), shape);
}

/** Number of samples in a box. */
export function boxSize({ shape }: Box): number {
  return checkedProduct(shape, "a box");
}

/** One past the last sample, per dimension. */
export function boxEnd({ origin, shape }: Box): number[] {
  return origin.map((o, d) => o + shape[d]!);
}

/**
 * Whether the box is one contiguous run of a row-major array of `whole`: sizes (1, …, 1, n, full, …, full).
 */
export function isContiguous({ shape }: Box, whole: readonly number[]): boolean {
  let d = shape.length - 1;
  while (d >= 0 && shape[d] === whole[d]) d--;
  return shape.slice(0, Math.max(0, d)).every((n) => n === 1);
}

/**
 * A box as ranges.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(showBox(box([2, 0], [2, 5])), "[2:4, 0:5]");
 * ```
 */
export function showBox({ origin, shape }: Box): string {
  return `[${origin.map((o, d) => `${o}:${o + shape[d]!}`).join(", ")}]`;
}

// Grids: a shape cut into tiles of one size, clipped at the far border.

/**
 * A shape cut into tiles.
 * @category Views
 */
export interface Grid {
  /** The whole. */
  readonly shape: Shape;
  /** A full tile. */
  readonly tile: Shape;
  /** Tiles per dimension. */
  readonly counts: Shape;
}

/**
 * The grid of `shape` in tiles of `tile`.
 *
 * @example
 * ```ts
 * import { gridOf, tileBox } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const grid = gridOf([5, 7], [2, 3]);
 * assertEquals(grid.counts, [3, 3]);
 * assertEquals(tileBox(grid, [2, 2]), { origin: [4, 6], shape: [1, 1] });
 * ```
 * @category Views
 */
export function gridOf(shape: Shape, tile: Shape): Grid {
  const count = (n: number) => Number.isSafeInteger(n) && n >= 0;
  if (shape.length !== tile.length || !shape.every(count) || !tile.every((n) => count(n) && n > 0)) {
    throw new TilewiseError("invalid", `Cannot cut ${showShape(shape)} into tiles of ${showShape(tile)}`);
  }
  return { shape, tile, counts: shape.map((n, d) => Math.ceil(n / tile[d]!)) };
}

/**
 * The tile at `index`, clipped to the shape.
 * @category Views
 */
export function tileBox({ shape, tile }: Grid, index: readonly number[]): Box {
  const origin = index.map((i, d) => i * tile[d]!);
  return box(origin, origin.map((o, d) => Math.min(tile[d]!, shape[d]! - o)));
}

/**
 * All tiles in row-major order.
 * @category Views
 */
export function* tileBoxes(grid: Grid): Generator<Box> {
  const count = sizeOf(grid.counts);
  for (let flat = 0; flat < count; flat++) yield tileBox(grid, unravel(flat, grid.counts));
}
