/**
 * Arrays in chunks with their dimensions in another order: the chunks stay where they are, and each is transposed when it
 * is read.
 *
 * @module
 */

import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { type ChunkLayout, gridOfChunks, isEdge } from "./chunks.ts";

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
  const { shape, chunk, itemSize, filters, files } = layout;
  const cells = cellsInOrder(gridOfChunks(layout), order);
  const moved = <A extends Float64Array | Uint32Array>(values: A): A =>
    values.map((_, i) => values[cells[i]!]!) as A;
  const result = {
    ...layout,
    shape: order.map((from) => shape[from]!),
    chunk: order.map((from) => chunk[from]!),
    addresses: moved(layout.addresses),
    sizes: moved(layout.sizes),
    masks: moved(masksOf(layout)).map((mask) => mask << 1), // the transposition is the first filter, and never left out
    plainEdges: false,
    ...(files ? { files: moved(files) } : {}),
  };
  const values = [itemSize, chunk.length, ...chunk, ...chunk.map((_, d) => order.indexOf(d))];
  return { ...result, filters: [{ name: "transpose", values }, ...filters] };
}

/** Which filters each chunk was stored without. */
function masksOf(layout: ChunkLayout): Uint32Array {
  if (!layout.plainEdges) return layout.masks;
  const all = 2 ** layout.filters.length - 1;
  return layout.masks.map((mask, cell) => isEdge(layout, cell) ? all : mask);
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
