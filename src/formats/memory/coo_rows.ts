/**
 * Brings entries of a sparse matrix into the order of their rows.
 *
 * @module
 */

import { newBuffer } from "../../sharing.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { sharedFloats } from "./index_list.ts";

/** A matrix row by row: the entries of row `i` are number `rows[i]` to `rows[i + 1] − 1`. */
export interface SortedRows {
  /** Row pointers. */
  readonly rows: Float64Array;
  /** Columns. */
  readonly indices: TypedArray;
  /** Samples. */
  readonly data: TypedArray;
}

/**
 * The entries row by row, those of a row in the order in which they came. Where the rows ascend already nothing is
 * copied; otherwise columns and samples are, to memory that workers share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sorted = sortedByRows(Int32Array.of(2, 0, 2), Int32Array.of(5, 6, 7), Uint8Array.of(1, 2, 3), 3);
 * assertEquals([...sorted.rows], [0, 1, 1, 3]);
 * assertEquals([[...sorted.indices], [...sorted.data]], [[6, 5, 7], [2, 1, 3]]);
 * ```
 */
export function sortedByRows(
  rowOf: TypedArray,
  columns: TypedArray,
  data: TypedArray,
  images: number,
): SortedRows {
  const rows = sharedFloats(images + 1);
  let ascends = true;
  for (let e = 0, before = 0; e < rowOf.length; e++) {
    const row = Number(rowOf[e]);
    ascends &&= row >= before;
    before = row;
    rows[row + 1]!++;
  }
  for (let i = 0; i < images; i++) rows[i + 1]! += rows[i]!;
  if (ascends) return { rows, indices: columns, data };
  const [indices, samples] = [sharedLike(columns), sharedLike(data)];
  const next = rows.slice();
  for (let e = 0; e < rowOf.length; e++) {
    const to = next[Number(rowOf[e])]!++;
    indices[to] = columns[e]!;
    samples[to] = data[e]!;
  }
  return { rows, indices, data: samples };
}

/** A new array of the same kind and length, in memory that workers share where there is such. */
function sharedLike(array: TypedArray): TypedArray {
  const buffer = newBuffer(array.byteLength);
  return new (array.constructor as new (buffer: ArrayBufferLike) => TypedArray)(buffer);
}
