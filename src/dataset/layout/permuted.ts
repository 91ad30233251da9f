/**
 * Arrays in chunks with their dimensions in another order: the chunks stay where they are, and each is transposed when it
 * is read.
 *
 * @module
 */

import { ravel, type Shape, sizeOf, unravel } from "../../space/shape.ts";
import {
  chunkBytes,
  type ChunkFilterSpec,
  type ChunkLayout,
  gridOfChunks,
  heldBytes,
  isEdge,
} from "./chunks.ts";
import { gridOfEntries } from "./keyed.ts";

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
  const { chunk, itemSize, keyed, shards, clipped, ...rest } = layout;
  const moved = movedCells(layout, order);
  const back = order.map((_, d) => order.indexOf(d)); // where each dimension of `layout` goes
  const turned = (shape: Shape) => order.map((from) => shape[from]!);
  const places = (dims: readonly number[]) => dims.map((d) => back[d]!);
  const own = chunk.map((_, d) => d);
  const transpose = { name: "transpose", values: [itemSize, chunk.length, ...chunk, ...back] };
  const short = clipped ? [padded(layout)] : []; // before such a chunk can be transposed
  return {
    ...rest,
    ...moved,
    itemSize,
    shape: turned(layout.shape),
    chunk: turned(chunk),
    filters: [transpose, ...short, ...layout.filters],
    plainEdges: false,
    ...(keyed ? { keyed: { ...keyed, order: places(keyed.order ?? own) } } : {}),
    ...(shards
      ? {
        shards: shards.map((level) => ({
          ...level,
          shape: turned(level.shape),
          order: places(level.order ?? own),
        })),
      }
      : {}),
  };
}

/** What is said of each entry (chunk or outermost shard), in the order of the permuted grid. */
function movedCells(
  layout: ChunkLayout,
  order: Shape,
): Pick<ChunkLayout, "addresses" | "sizes" | "masks" | "files"> {
  const { addresses, sizes, files, shards, clipped } = layout;
  if (addresses.length === 0) return { addresses, sizes, masks: layout.masks };
  const cells = cellsInOrder(gridOfEntries(layout), order);
  const moved = <A extends Float64Array | Uint32Array>(values: A): A =>
    values.map((_, i) => values[cells[i]!]!) as A;
  // `transpose` comes first, and is never left out; `pad` is, but for short chunks; masks of shards say nothing of chunks
  const mask = (old: number, i: number) =>
    shards ? old : clipped ? old << 2 | (isShort(layout, cells[i]!) ? 0 : 2) : old << 1;
  return {
    addresses: moved(addresses),
    sizes: moved(sizes),
    masks: moved(masksOf(layout)).map(mask),
    ...(files ? { files: moved(files) } : {}),
  };
}

/** Which filters each chunk was stored without. */
function masksOf(layout: ChunkLayout): Uint32Array {
  const { addresses, masks, plainEdges, filters } = layout;
  const all = 2 ** filters.length - 1;
  return Uint32Array.from(
    addresses,
    (_, cell) => plainEdges && isEdge(layout, cell) ? all : masks[cell] ?? 0,
  );
}

/** Whether chunk `cell` holds fewer samples than others. */
function isShort(layout: ChunkLayout, cell: number): boolean {
  return heldBytes(layout, cell) < chunkBytes(layout);
}

/** The filter that makes the short chunks of `layout` as long as the others. */
function padded(layout: ChunkLayout): ChunkFilterSpec {
  const cells = sizeOf(gridOfChunks(layout));
  return { name: "pad", values: [heldBytes(layout, cells - 1), chunkBytes(layout)] };
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
