/**
 * Blocks: the pieces in which the result of an operation is delivered, and the place of each tile in them.
 *
 * A sink that writes a file from start to end takes bands: each band is one row of tiles, so that it is one run of a
 * row-major array. A sink that stores tiles independently takes tiles, in any order.
 *
 * @module
 */

import type { MemoryRows } from "../../executor/task.ts";
import { type Box, type Grid, tileBox } from "../../space/box.ts";
import { type ArrayOf, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { ravel, type Shape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";
import type { TileOrder } from "../../space/traversal.ts";

/**
 * `bands`: whole rows of the result, from the first to the last, independent of the traversal. `tiles`: one tile each,
 * as soon as it is computed.
 * @category Views
 */
export type BlockKind = "bands" | "tiles";

/**
 * A part of a result: dense samples, and their place. They are valid until the next block is requested.
 * @category Views
 */
export interface MapBlock<D extends DType = DType> extends NDArray<D> {
  /** Position of the first sample in the result. */
  readonly origin: Shape;
  /** The samples. */
  readonly data: ArrayOf<D>;
}

/**
 * How the tiles of a grid are combined into blocks.
 * @category Views
 */
export interface BlockLayout {
  /** The tiles. */
  readonly grid: Grid;
  /** The kind of blocks. */
  readonly kind: BlockKind;
  /** Blocks per dimension. */
  readonly counts: Shape;
  /** Tiles per block. */
  readonly tiles: number;
  /** Samples of a full block, per dimension. */
  readonly shape: Shape;
}

/** The blocks of `grid`. */
export function blocksOf(grid: Grid, kind: BlockKind): BlockLayout {
  const { shape, tile, counts } = grid;
  const full = tile.map((n, d) => Math.min(n, shape[d]!));
  return kind === "tiles"
    ? { grid, kind, counts, tiles: 1, shape: full }
    : bandsFrom(grid, cutDimension(tile));
}

/** Rows of tiles: bands that are no runs of the array where tiles have several samples along outer dimensions. */
export function rowsOfTiles(grid: Grid): BlockLayout {
  return bandsFrom(grid, Math.max(0, grid.tile.length - 2));
}

/** Bands of one tile along `last` and the dimensions before it, and of all along the others. */
function bandsFrom(grid: Grid, last: number): BlockLayout {
  const { shape, tile, counts } = grid;
  const full = tile.map((n, d) => Math.min(n, shape[d]!));
  return {
    grid,
    kind: "bands",
    counts: counts.map((n, d) => d <= last ? n : Math.min(1, n)),
    tiles: sizeOf(counts.slice(last + 1)),
    shape: full.map((n, d) => d <= last ? n : shape[d]!),
  };
}

/**
 * The dimension along which an array is cut: the first one with more than one sample, so that a part is one run of the
 * array, but at most the last but one, so that parts are whole rows.
 */
export function cutDimension(shape: Shape): number {
  const first = shape.findIndex((size) => size > 1);
  return Math.max(0, Math.min(first < 0 ? shape.length : first, shape.length - 2));
}

/** The number of the block that contains tile `index` of the array. */
export function blockNumber({ counts }: BlockLayout, index: Shape): number {
  return ravel(counts.map((n, d) => Math.min(index[d] ?? 0, n - 1)), counts);
}

/** The part of the result that tile `index` of the array gives: a partial result has one more dimension, and one tile along it. */
export function tileOfResult({ grid }: BlockLayout, index: Shape): Box {
  return tileBox(grid, grid.counts.map((_, d) => index[d] ?? 0));
}

/** The part of the result that block `number` covers. */
export function blockBox({ grid, counts, shape }: BlockLayout, number: number): Box {
  const origin = unravel(number, counts).map((i, d) => i * shape[d]!);
  return { origin, shape: shape.map((n, d) => Math.min(n, grid.shape[d]! - origin[d]!)) };
}

/** The place of a tile in its block: bytes from the first sample of the block, and strides in bytes. */
export function placeInBlock(
  layout: BlockLayout,
  index: Shape,
  tile: Box,
  dtype: DType,
): { readonly offset: number; readonly strides: Shape } {
  const block = blockBox(layout, blockNumber(layout, index));
  const { itemSize } = dtypeInfo(dtype);
  const strides = stridesOf(block.shape).map((stride) => stride * itemSize);
  const offset = tile.origin.reduce((sum, o, d) => sum + (o - block.origin[d]!) * strides[d]!, 0);
  return { offset, strides };
}

/** The bytes of the result of tile `index` in its block at `block`: rows at a constant distance from each other. */
export function tileInBlock(layout: BlockLayout, index: Shape, dtype: DType, block: number): MemoryRows[] {
  const tile = tileOfResult(layout, index);
  const { offset, strides } = placeInBlock(layout, index, tile, dtype);
  const outer = tile.shape.slice(0, -2);
  const [rows, bytes] = [tile.shape.at(-2) ?? 1, tile.shape.at(-1)! * dtypeInfo(dtype).itemSize];
  return Array.from({ length: sizeOf(outer) }, (_, i) => {
    const at = unravel(i, outer).reduce((sum, x, d) => sum + x * strides[d]!, block + offset);
    return { offset: at, bytes, rows, stride: strides.at(-2) ?? bytes };
  });
}

/**
 * Largest number of blocks that are begun and cannot be delivered yet, if the tiles of an array, `counts` per dimension,
 * are computed in the order of a traversal: a run needs that many places for blocks.
 */
export function mostOpen(
  layout: BlockLayout,
  order: TileOrder,
  counts: Shape = layout.grid.counts,
): number {
  if (layout.kind === "tiles" || order.name === "row-major") return 1;
  const left = new Map<number, number>();
  let [most, next] = [1, 0];
  for (const index of order.tiles(counts)) {
    const block = blockNumber(layout, index);
    left.set(block, (left.get(block) ?? layout.tiles) - 1);
    most = Math.max(most, left.size);
    while (left.get(next) === 0) left.delete(next++);
  }
  return most;
}
