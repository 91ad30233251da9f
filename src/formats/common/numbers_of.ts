/**
 * Bytes of a file as numbers.
 *
 * @module
 */

import { type ByteOrder, type DType, type TypedArray, typedArray } from "../../space/dtype.ts";
import { reverseUnits } from "../../space/numbers.ts";

/** Samples of a little or big-endian dtype. */
export function numbersOf(
  bytes: Uint8Array,
  dtype: DType,
  byteOrder: ByteOrder,
): TypedArray {
  const copy = bytes.slice();
  const probe = typedArray(dtype, new ArrayBuffer(16), 0, 1);
  const unit = probe.BYTES_PER_ELEMENT;
  if (byteOrder === "big") reverseUnits(copy, unit);
  return typedArray(dtype, copy.buffer, 0, copy.length / (unit * (dtype.startsWith("complex") ? 2 : 1)));
}
