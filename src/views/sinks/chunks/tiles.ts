/**
 * Tiles of several chunks: what is computed at once, and then stored in parts.
 *
 * A tile of one small chunk has much halo for its size, and a task, a view and a write of its own. Chunks are written in the
 * order of the target; so a tile is a box of chunks that follow each other in that order:
 *
 * ```
 * | 0 1 2 3 | 4 5 6 7 |        tiles of 1 × 4 chunks, in rows of 8
 * | 8 …                        tiles of 2 × 8 chunks would follow each other as well, 2 × 4 would not
 * ```
 *
 * @module
 */

import type { ChunkedArray } from "../../../sinks/chunks/file.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import type { TileRoom, Tiles } from "../../map/sink.ts";

/** Most bytes of the result of a tile, if a chunk has fewer. */
const TILE_BYTES = 2 ** 20;
/** Parts of the budget: a worker has a view, what works on it, a result, and encoded chunks. */
const PARTS = 64;
/** Tiles per worker, at least. */
const TILES = 8;

/** Chunks that follow each other in the order of a target. */
export interface ChunkOrder extends Pick<ChunkedArray, "chunk" | "perFile"> {
  /** Chunks of the array, per dimension. */
  readonly counts: Shape;
}

/** The tiles that a plan over a result may have: of several chunks, or, where there is no room for these, of one. */
export function tilesOfChunks(facts: ChunkedArray, room: TileRoom): Tiles {
  const { shape, dtype, chunk } = facts;
  if (chunk.length !== shape.length || !shape.every((n) => n > 0)) return [chunk];
  const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  const per = chunksPerTile({ ...facts, counts }, dtypeInfo(dtype).itemSize, room);
  return sizeOf(per) > 1 ? [chunk.map((n, d) => n * per[d]!), chunk] : [chunk];
}

/** How many chunks make a tile, per dimension, if a sample of the result has `itemSize` bytes. */
export function chunksPerTile(
  { chunk, counts, perFile = counts }: ChunkOrder,
  itemSize: number,
  { memory, workers }: TileRoom,
): Shape {
  const bytes = sizeOf(chunk) * itemSize;
  const each = Math.floor(sizeOf(counts) / (TILES * Math.max(1, workers)));
  let most = Math.max(1, Math.min(Math.floor(Math.min(TILE_BYTES, memory / PARTS) / bytes), each));
  const per = counts.map(() => 1);
  for (let d = counts.length - 1; d >= 0; d--) {
    per[d] = partOf(perFile[d]!, counts[d]!, most);
    if (per[d]! < Math.min(perFile[d]!, counts[d]!)) break;
    most = Math.floor(most / per[d]!);
  }
  return per;
}

/** The largest part of `inside` chunks, up to `most`; one that divides them if other files follow. */
function partOf(inside: number, count: number, most: number): number {
  if (inside >= count) return Math.min(count, most);
  let part = Math.min(inside, most);
  while (inside % part !== 0) part--;
  return part;
}

/** Whether tiles of `per` chunks are boxes of chunks that follow each other. */
export function followEachOther(
  { counts, perFile = counts }: Omit<ChunkOrder, "chunk">,
  per: Shape,
): boolean {
  const first = per.findIndex((n) => n > 1);
  return per.every((n, d) => {
    const [inside, count] = [perFile[d]!, counts[d]!];
    if (first < 0 || d <= first) return inside >= count || inside % n === 0;
    return inside >= count ? n >= count : n === inside;
  });
}

/** The index of the tile that contains a chunk, for tiles of `per` chunks. */
export function tileOfChunk(index: Shape, per: Shape): Shape {
  return index.map((i, d) => Math.floor(i / per[d]!));
}
