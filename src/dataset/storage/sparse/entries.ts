/**
 * The most entries that a block of frames of a sparse data set can have, which decides the size of its buffers.
 *
 * @module
 */

import { ALIGNMENT, roundUp } from "../../../memory/arena.ts";
import type { Box } from "../../../space/box.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { SparseStorage } from "../../layout/storage.ts";

/**
 * The most entries of any `depth` images that follow each other in `images` (ascending; absent: all).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const rows = Float64Array.of(0, 5, 6, 6, 9);
 * assertEquals(mostEntries(rows, 2), 6);
 * assertEquals(mostEntries(rows, 2, [0, 3]), 8);
 * ```
 */
export function mostEntries(rows: Float64Array, depth: number, images?: ArrayLike<number>): number {
  const count = images?.length ?? rows.length - 1;
  const entries = (i: number) => {
    const image = images ? images[i]! : i;
    return rows[image + 1]! - rows[image]!;
  };
  let most = 0;
  for (let i = 0, inside = 0; i < count; i++) {
    inside += entries(i) - (i >= depth ? entries(i - depth) : 0);
    most = Math.max(most, inside);
  }
  return most;
}

/** The most entries of any `count` images: those of the `count` images with most entries. */
export function mostEntriesOfAny(rows: Float64Array, count: number): number {
  const sizes = rows.slice(1).map((end, i) => end - rows[i]!).sort();
  return sizes.subarray(Math.max(0, sizes.length - count)).reduce((sum, n) => sum + n, 0);
}

/** Stored bytes of the entries of `images`. */
export function storedBytesOf(layout: FrameLayout<SparseStorage>, images: ArrayLike<number>): number {
  const { rows } = layout.storage;
  let entries = 0;
  for (let i = 0; i < images.length; i++) entries += rows[images[i]! + 1]! - rows[images[i]!]!;
  return entries * entryBytes(layout.dtype, layout.storage);
}

/** Bytes of one entry in the files. */
export function entryBytes(dtype: DType, { indexDType }: Pick<SparseStorage, "indexDType">): number {
  return dtypeInfo(dtype).itemSize + dtypeInfo(indexDType).itemSize;
}

/** Row pointers and faults, samples, columns as stored, and columns as i32 if they need another place. */
export function csrBuffers(
  { dtype, storage }: FrameLayout<SparseStorage>,
  maxFrames: number,
  maxEntries: number,
): number[] {
  const stored = dtypeInfo(storage.indexDType).itemSize;
  return [
    4 * (maxFrames + 3),
    maxEntries * dtypeInfo(dtype).itemSize,
    maxEntries * stored,
    ...(stored < 4 ? [maxEntries * 4] : []),
  ];
}

/** Bytes of a slab that a reader of such blocks takes. */
export function csrBytes(layout: FrameLayout<SparseStorage>, maxFrames: number, maxEntries: number): number {
  return csrBuffers(layout, maxFrames, maxEntries).reduce((sum, n) => sum + roundUp(n, ALIGNMENT), 0);
}

/** Bytes of the buffers for readers of all samples: entries, and samples. */
export function csrFrameBuffers(
  layout: FrameLayout<SparseStorage>,
  maxFrames: number,
  box: Box,
  maxEntries: number,
): number[] {
  return [csrBytes(layout, maxFrames, maxEntries), maxFrames * framePart(layout, box).bytes];
}
