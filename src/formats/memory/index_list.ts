/**
 * Lists of places in a sparse matrix: whole numbers in whatever array a user has them, checked.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { newBuffer } from "../../sharing.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { IndexList } from "./inputs.ts";

/** Typed arrays of which kernels read columns as they lie. */
const AS_THEY_LIE = [Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];

/**
 * The numbers as an array that kernels read; a copy only where they lie in another one. Refuses all that are no whole
 * numbers from 0 to `end − 1`; `what` names them in messages.
 */
export function checkedIndices(list: IndexList, what: string, end: number, file: string): TypedArray {
  checkList(list, what, file);
  for (let i = 0; i < list.length; i++) {
    const index = Number(list[i]);
    if (Number.isInteger(index) && index >= 0 && index < end) continue;
    const text = `Cannot open ${file}: number ${i} of its ${what} is ${list[i]}; they go from 0 to ${
      end - 1
    }`;
    throw new TilewiseError("invalid", text, { file, entry: i, expected: end - 1, found: String(list[i]) });
  }
  const isRead = AS_THEY_LIE.some((kind) => list instanceof kind);
  return isRead ? list as TypedArray : Uint32Array.from(list as ArrayLike<number>);
}

/** Refuses what is not a list of numbers. */
export function checkList(list: IndexList, what: string, file: string): void {
  if (Array.isArray(list) || ArrayBuffer.isView(list) && !((list as ArrayBufferView) instanceof DataView)) {
    return;
  }
  const found = Object.prototype.toString.call(list);
  const text = `Cannot open ${file}: its ${what} must be a typed array or a list of numbers, not ${found}`;
  throw new TilewiseError("invalid", text, { file, found });
}

/** An empty Float64Array of `length`, in memory that workers share where there is such. */
export function sharedFloats(length: number): Float64Array {
  return new Float64Array(newBuffer(8 * length));
}
