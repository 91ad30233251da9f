/**
 * How many entries of a sparse data set a block of frames can have: what its buffers are made for.
 *
 * @module
 */

import { dtypeInfo } from "../../../space/dtype.ts";
import type { FrameLayout, SparseLayout } from "../../layout/layout.ts";

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

/** The most entries of any `count` images at all: of those that have most. */
export function mostEntriesOfAny(rows: Float64Array, count: number): number {
  const sizes = rows.slice(1).map((end, i) => end - rows[i]!).sort();
  return sizes.subarray(Math.max(0, sizes.length - count)).reduce((sum, n) => sum + n, 0);
}

/** Stored bytes of `images`: their entries, or their samples where nothing is left out. */
export function storedBytesOf(layout: FrameLayout, images: ArrayLike<number>): number {
  const { sparse } = layout;
  if (!sparse) return images.length * layout.storedBytes;
  let entries = 0;
  for (let i = 0; i < images.length; i++) entries += sparse.rows[images[i]! + 1]! - sparse.rows[images[i]!]!;
  return entries * entryBytes(layout, sparse);
}

/** Bytes of one entry in the files. */
export function entryBytes({ dtype }: FrameLayout, { indexDType }: SparseLayout): number {
  return dtypeInfo(dtype).itemSize + dtypeInfo(indexDType).itemSize;
}
