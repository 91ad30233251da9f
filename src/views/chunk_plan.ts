/**
 * Which arrays are read chunk by chunk, and how many decoded chunks are held; for planners.
 *
 * @module
 */

import type { FrameLayout } from "../dataset/layout/layout.ts";
import { imageCount, isStoredAs } from "../dataset/layout/layout.ts";
import { chunkBytes, gridOfChunks } from "../dataset/layout/chunks.ts";
import type { ChunkStorage } from "../dataset/layout/storage.ts";
import { chunkBuffers } from "../dataset/storage/chunks/cuts.ts";
import { ALIGNMENT, roundUp } from "../memory/arena.ts";
import { wholeBox } from "../space/box.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { ArraySpec, FrameArray, JoinedArray } from "./array.ts";
import { chunksInUse, storeBytes, type ViewsOfChunks } from "./chunks/store.ts";

/** An array that can be read chunk by chunk: every chunk is a box of it. */
export type ChunkedArray = FrameArray & { readonly layout: FrameLayout<ChunkStorage> };

/** What reading views of an array in chunks needs. */
export interface ChunkPlan {
  /** Bytes per reader: what decoding takes, and one chunk. */
  readonly reader: number;
  /** Bytes of a decoded chunk. */
  readonly chunk: number;
  /**
   * Decoded chunks to hold, if there is room, so that none is decoded twice while one worker takes views row by row: see
   * {@link chunksInUse}. Views of several planes of chunks: those of the rows of chunks that a view touches.
   */
  readonly most: number;
  /** What each further worker adds to that. */
  readonly ahead: number;
  /** Decoded chunks to hold at least: those of one view. */
  readonly least: number;
}

/** Views, and how large they are with their halo. */
interface SizedViews extends ViewsOfChunks {
  /** Samples per dimension. */
  readonly shape: Shape;
}

/** Whether every chunk of an array is a box of it. */
export function isChunked(array: ArraySpec | JoinedArray): array is ChunkedArray {
  if (!("layout" in array) || !isStoredAs(array.layout, "chunks") || array.valid) return false;
  const { shape } = array.layout.storage.chunks;
  const frames = sizeOf(array.shape.slice(0, array.shape.length - array.layout.sigShape.length));
  return array.syncOffset === 0 && imageCount(array.layout) >= frames &&
    shape.length === array.shape.length && shape.every((n, d) => n === array.shape[d]);
}

/** What reading views needs; undefined for arrays that are not read chunk by chunk. */
export function chunkPlan(array: ArraySpec | JoinedArray, views: SizedViews): ChunkPlan | undefined {
  if (!isChunked(array)) return undefined;
  const { shape } = views;
  const { chunks } = array.layout.storage;
  const grid = gridOfChunks(chunks);
  const chunk = roundUp(chunkBytes(chunks), ALIGNMENT);
  const touched = grid.map((n, d) => Math.min(n, Math.ceil((shape[d]! - 1) / chunks.chunk[d]!) + 1));
  const [outer, rows, columns] = [sizeOf(touched.slice(0, -2)), touched.at(-2) ?? 1, touched.at(-1) ?? 1];
  const row = grid.at(-1) ?? 1;
  const most = outer > 1 ? outer * rows * row : chunksInUse(views, chunks.chunk, row, columns);
  const decoding = chunkBuffers(array.layout, 0, wholeBox(array.layout.sigShape))
    .reduce((sum, bytes) => sum + roundUp(bytes, ALIGNMENT), 0);
  return {
    reader: decoding + chunk,
    chunk,
    most,
    ahead: outer * columns,
    least: Math.min(most, sizeOf(touched)),
  };
}

/** Bytes of a store of so many decoded chunks. */
export function bytesOfStore({ chunk }: ChunkPlan, slots: number): number {
  return roundUp(storeBytes(chunk, slots), ALIGNMENT);
}
