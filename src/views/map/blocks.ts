/**
 * Blocks: the pieces in which the result of an operation leaves, and where tiles lie in them.
 *
 * A sink that writes a file from front to back takes bands: all tiles across, one row of tiles high, so that a band is one
 * run of a row-major array. A sink that stores tiles by themselves takes tiles, in any order.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import { type ArrayOf, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Grid } from "../../space/grid.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { ravel, type Shape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";
import { type Traversal, TRAVERSALS } from "../../space/traversal.ts";

/**
 * `bands`: whole rows of the result, from the first to the last, whatever the traversal. `tiles`: one tile each, as soon as it
 * is computed.
 * @category Views
 */
export type BlockKind = "bands" | "tiles";

/**
 * A part of a result: dense samples, and where they belong. They are valid until the next block is asked for.
 * @category Views
 */
export interface MapBlock<D extends DType = DType> extends NDArray<D> {
  /** Position of the first sample in the result. */
  readonly origin: Shape;
  /** The samples. */
  readonly data: ArrayOf<D>;
}

/**
 * How the tiles of a grid make blocks.
 * @category Views
 */
export interface BlockLayout {
  /** The tiles. */
  readonly grid: Grid;
  /** What a block is. */
  readonly kind: BlockKind;
  /** Blocks per dimension. */
  readonly counts: Shape;
  /** Tiles of a block. */
  readonly tiles: number;
  /** Samples of a full block, per dimension. */
  readonly shape: Shape;
}

/** The blocks of `grid`. */
export function blocksOf(grid: Grid, kind: BlockKind): BlockLayout {
  const { shape, tile, counts } = grid;
  const full = tile.map((n, d) => Math.min(n, shape[d]!));
  if (kind === "tiles") return { grid, kind, counts, tiles: 1, shape: full };
  const last = bandDimension(tile);
  return {
    grid,
    kind,
    counts: counts.map((n, d) => d <= last ? n : Math.min(1, n)),
    tiles: sizeOf(counts.slice(last + 1)),
    shape: full.map((n, d) => d <= last ? n : shape[d]!),
  };
}

/**
 * The dimension that bands are cut along: the first one with more than one sample per tile, so that a band is one run of the
 * array, but at most the last but one, so that bands are whole rows.
 */
function bandDimension(tile: Shape): number {
  const first = tile.findIndex((n) => n > 1);
  return Math.max(0, Math.min(first < 0 ? tile.length : first, tile.length - 2));
}

/** The number of the block that tile `index` lies in. */
export function blockNumber({ counts }: BlockLayout, index: Shape): number {
  return ravel(index.map((i, d) => Math.min(i, counts[d]! - 1)), counts);
}

/** The part of the result that is in block `number`. */
export function blockBox({ grid, counts, shape }: BlockLayout, number: number): Box {
  const origin = unravel(number, counts).map((i, d) => i * shape[d]!);
  return { origin, shape: shape.map((n, d) => Math.min(n, grid.shape[d]! - origin[d]!)) };
}

/** Where a tile lies in its block: bytes from the first sample of the block, and strides in bytes. */
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

/**
 * How many blocks are begun and cannot leave yet, at most, when tiles are computed in the order of a traversal: that many
 * places for blocks a run must have.
 */
export function mostOpen(layout: BlockLayout, traversal: Traversal): number {
  if (layout.kind === "tiles" || traversal === "row-major") return 1;
  const left = new Map<number, number>();
  let [most, next] = [1, 0];
  for (const index of TRAVERSALS[traversal](layout.grid.counts)) {
    const block = blockNumber(layout, index);
    left.set(block, (left.get(block) ?? layout.tiles) - 1);
    most = Math.max(most, left.size);
    while (left.get(next) === 0) left.delete(next++);
  }
  return most;
}
