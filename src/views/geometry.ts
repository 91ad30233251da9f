/**
 * The geometry of views: where a tile and its halo lie in an array, and which tiles they touch.
 *
 * One dimension, with array size `F`, tile `T`, radius `r` and tile number `i`; n dimensions are n times the same:
 *
 * ```text
 *   start = i T − r       min = max(0, start)       max = min(F, (i + 1) T + r)
 *   front = min − start   back = T + 2 r − front − (max − min)
 *   tiles  from floor(min / T) to ceil(max / T)
 *
 *   start        min = 0                       max                F = 10, T = 4, r = 2, i = 0
 *     · · | 0 1 2 3 | 4 5 |  6 7 8 9             front 2, tile 0 1 2 3, halo behind it 4 5
 * ```
 *
 * A view has `T + 2 r` samples in every dimension, also at the end of the array: samples that a clipped tile lacks are
 * outside, as is the halo after them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type Box, box } from "../space/box.ts";
import { type Grid, tileBox } from "../space/grid.ts";
import { type Shape, showShape, stridesOf } from "../space/shape.ts";

/**
 * The place of one view; boxes are in samples of the array unless stated otherwise.
 * @category Views
 */
export interface ViewGeometry {
  /** Index of the tile, per dimension. */
  readonly index: Shape;
  /** Samples of the view per dimension: tile plus twice the radius. */
  readonly shape: Shape;
  /** Position in the array of the first sample of the view; negative if it is before the array. */
  readonly start: Shape;
  /** The tile, clipped to the array. */
  readonly tile: Box;
  /** The part of the array that the view covers. */
  readonly inside: Box;
  /** The tiles, in numbers of tiles, that {@link inside} touches. */
  readonly tiles: Box;
  /** Samples before {@link inside}, per dimension. */
  readonly front: Shape;
  /** Samples after {@link inside}, per dimension. */
  readonly back: Shape;
  /** Where the tile begins in the view, as an index into its samples in row-major order. */
  readonly centralOffset: number;
}

/**
 * The geometry of the view of tile `index`.
 *
 * @example The last of three tiles: it has two samples, and nothing is behind it
 * ```ts
 * import { gridOf, viewGeometry } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const { inside, front, back, tile } = viewGeometry(gridOf([10], [4]), [2], [2]);
 * assertEquals(inside, { origin: [6], shape: [4] });
 * assertEquals([front, back, tile.shape], [[0], [4], [2]]);
 * ```
 * @category Views
 */
export function viewGeometry(grid: Grid, radius: Shape, index: Shape): ViewGeometry {
  checkIndex(grid, index);
  const shape = viewShape(grid, radius);
  const start = index.map((i, d) => i * grid.tile[d]! - radius[d]!);
  const min = start.map((s) => Math.max(0, s));
  const max = start.map((s, d) => Math.min(grid.shape[d]!, s + shape[d]!));
  const front = min.map((m, d) => m - start[d]!);
  const first = min.map((m, d) => floorDivide(m, grid.tile[d]!));
  const last = max.map((m, d) => floorDivide(m - 1, grid.tile[d]!));
  const strides = stridesOf(shape);
  return {
    index,
    shape,
    start,
    tile: tileBox(grid, index),
    inside: box(min, max.map((m, d) => m - min[d]!)),
    tiles: box(first, last.map((l, d) => l - first[d]! + 1)),
    front,
    back: shape.map((n, d) => n - front[d]! - (max[d]! - min[d]!)),
    centralOffset: radius.reduce((offset, r, d) => offset + r * strides[d]!, 0),
  };
}

/**
 * Samples per dimension of every view of a grid: tile plus twice the radius.
 * @category Views
 */
export function viewShape({ tile }: Grid, radius: Shape): number[] {
  return tile.map((n, d) => n + 2 * radius[d]!);
}

/** Integer division without intermediate rounding: exact to 2^53. */
function floorDivide(a: number, b: number): number {
  return (a - a % b) / b;
}

function checkIndex({ counts }: Grid, index: Shape): void {
  const inside = index.length === counts.length &&
    index.every((i, d) => Number.isSafeInteger(i) && i >= 0 && i < counts[d]!);
  if (inside) return;
  const text = `There is no tile (${index.join(", ")}): the grid has ${showShape(counts)} tiles`;
  throw new TilewiseError("invalid", text, { expected: showShape(counts), found: index.join(", ") });
}
