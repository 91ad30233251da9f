/**
 * Arrays in chunks with their dimensions in another order: the chunks stay where they are, and each is transposed when it
 * is read.
 *
 * @module
 */

import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type { ChunkLayout } from "./chunks.ts";
import { gridOfEntries, type ShardLevel } from "./keyed.ts";

/**
 * `layout` with its dimensions in another order: dimension `d` of the result is dimension `order[d]` of `layout`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { framesAsChunks } from "./chunks.ts";
 * const frames = framesAsChunks({ shape: [2, 3, 4], sig: 2, itemSize: 1, addresses: Float64Array.of(0, 12) });
 * const { shape, chunk, addresses } = permuted(frames, [1, 2, 0]);
 * assertEquals([shape, chunk, [...addresses]], [[3, 4, 2], [3, 4, 1], [0, 12]]);
 * ```
 */
export function permuted(layout: ChunkLayout, order: Shape): ChunkLayout {
  if (order.every((from, d) => from === d)) return layout;
  const { chunk, keyed, shards } = layout;
  const back = order.map((_, d) => order.indexOf(d)); // where each dimension of `layout` goes
  const turned = (shape: Shape) => order.map((from) => shape[from]!);
  const places = (dims: readonly number[] = chunk.map((_, d) => d)) => dims.map((d) => back[d]!);
  const shardsOf = (levels: readonly ShardLevel[]) =>
    levels.map((level) => ({ ...level, shape: turned(level.shape), order: places(level.order) }));
  return {
    ...layout,
    ...movedCells(layout, order),
    shape: turned(layout.shape),
    chunk: turned(chunk),
    order: places(layout.order),
    ...(keyed ? { keyed: { ...keyed, order: places(keyed.order) } } : {}),
    ...(shards ? { shards: shardsOf(shards) } : {}),
  };
}

/** What is said of each entry (chunk or outermost shard), in the order of the permuted grid. */
function movedCells(
  layout: ChunkLayout,
  order: Shape,
): Pick<ChunkLayout, "addresses" | "sizes" | "masks" | "files"> {
  const { addresses, sizes, masks, files } = layout;
  if (addresses.length === 0) return { addresses, sizes, masks };
  const cells = cellsInOrder(gridOfEntries(layout), order);
  const moved = <A extends Float64Array | Uint32Array>(values: A): A =>
    values.map((_, i) => values[cells[i]!]!) as A;
  return {
    addresses: moved(addresses),
    sizes: moved(sizes),
    masks: moved(masks),
    ...(files ? { files: moved(files) } : {}),
  };
}

/** For each chunk of the permuted grid, in row-major order, its number in `grid`. */
function cellsInOrder(grid: Shape, order: Shape): Uint32Array {
  const turned = order.map((from) => grid[from]!);
  const cells = new Uint32Array(sizeOf(grid));
  const place = grid.map(() => 0);
  for (let cell = 0; cell < cells.length; cell++) {
    unravel(cell, turned).forEach((at, d) => place[order[d]!] = at);
    cells[cell] = ravel(place, grid);
  }
  return cells;
}
