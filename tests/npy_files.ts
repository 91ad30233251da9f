/** Whole `.npy` files in memory. */

import { arrayPieces } from "../src/sinks/arrays/pieces.ts";
import { npyTarget } from "../src/sinks/rows/npy.ts";
import type { DType, TypedArray } from "../src/space/dtype.ts";
import { type NDArray, ndarray } from "../src/space/ndarray.ts";

/** The bytes of all pieces. */
export function joined(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  const all = [...pieces];
  const out = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of all) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** The file for an array. */
export function npyOf(array: NDArray): Uint8Array<ArrayBuffer> {
  return joined(arrayPieces(npyTarget, array));
}

/** The file for dense samples in row-major order. */
export function encodeNpy(data: TypedArray, shape: readonly number[], dtype: DType): Uint8Array<ArrayBuffer> {
  return npyOf(ndarray(data as never, shape, dtype));
}
