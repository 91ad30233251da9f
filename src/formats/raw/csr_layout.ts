/**
 * The layout of frames that are rows of a sparse matrix, wherever its arrays lie.
 *
 * @module
 */

import { entryBytes } from "../../dataset/storage/sparse/entries.ts";
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** An array of the matrix. */
export interface CsrArray {
  /** How to open it. */
  readonly source: SourceSpec;
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** The layout of the rows that `rows` points to, with columns and samples in arrays of their own. */
export function csrLayout(
  rows: Float64Array,
  indices: CsrArray,
  data: CsrArray,
  sigShape: Shape,
): FrameLayout {
  const images = rows.length - 1;
  const storage = {
    kind: "sparse",
    rows,
    indices: indices.source,
    indexDType: indices.dtype,
    indexByteOrder: indices.byteOrder,
  } as const;
  const files = [{ source: data.source, start: 0, end: images, headerBytes: 0 }];
  const { dtype, byteOrder } = data;
  const bytes = (rows[images]! - rows[0]!) * entryBytes(dtype, storage);
  const storedBytes = Math.ceil(bytes / Math.max(1, images)); // on average
  return frameLayout({ files, sigShape, dtype, byteOrder, storedBytes, storage });
}

/** Warnings about such frames. */
export function csrFacts(rows: Float64Array, sigShape: Shape): { entries: number; density: number } {
  const images = rows.length - 1;
  const entries = rows[images]! - rows[0]!;
  return { entries, density: entries / Math.max(1, images * sizeOf(sigShape)) };
}
