/**
 * Grids: a shape cut into tiles of one size, clipped at the far border.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type Box, box } from "./box.ts";
import { type Shape, showShape, sizeOf, unravel } from "./shape.ts";

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
