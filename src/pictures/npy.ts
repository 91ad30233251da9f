/**
 * The bytes of a `.npy` file for an array in memory.
 *
 * @module
 */

import { unshared } from "../space/unshared.ts";
import { npyHeader } from "../codecs/npy_header.ts";
import { TilewiseError } from "../errors.ts";
import { dtypeInfo, type TypedArray, typedArray, zeros } from "../space/dtype.ts";
import { fillNumbers } from "../space/numbers.ts";
import type { NDArray } from "../space/ndarray.ts";
import { sameShape, showShape, sizeOf, stridesOf } from "../space/shape.ts";
import { positions } from "./numbers.ts";

/**
 * A NumPy file: version 1.0, C order, little endian.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const npy = encodeNpy(ndarray(Uint8Array.of(7, 8), [2], "uint8"));
 * assertEquals([npy.length, npy[128], npy[129]], [130, 7, 8]);
 * ```
 */
export function encodeNpy(array: NDArray): Uint8Array {
  const out = new Uint8Array(npyBytes(array));
  let at = 0;
  for (const piece of npyPieces(array)) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Bytes per piece: a multiple of the size of every sample type. */
const PIECE = 2 ** 20;

/** The number of bytes of {@link encodeNpy}. */
export function npyBytes({ dtype, shape }: Pick<NDArray, "dtype" | "shape">): number {
  return npyHeader(dtype, shape).length + sizeOf(shape) * dtypeInfo(dtype).itemSize;
}

/**
 * The bytes of {@link encodeNpy} piece by piece, without a copy of all samples.
 *
 * @param holes for an array of floats: where this mask is 0, the file has NaN
 */
export function* npyPieces(array: NDArray, holes?: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  yield Uint8Array.from(npyHeader(array.dtype, array.shape));
  const data = denseData(array);
  const { itemSize, unitSize } = dtypeInfo(array.dtype);
  const entry = holes ? data.byteLength / holes.length : 0; // bytes per entry of the mask
  for (let at = 0; at < data.byteLength; at += PIECE) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset + at, Math.min(PIECE, data.byteLength - at));
    if (!holes) {
      yield unshared(bytes);
      continue;
    }
    const own = bytes.slice();
    const units = typedArray(array.dtype, own.buffer, 0, own.length / itemSize);
    for (let i = 0; i < own.length; i += itemSize) {
      if (holes[Math.floor((at + i) / entry)]) continue;
      fillNumbers(units, NaN, i / unitSize, (i + itemSize) / unitSize);
    }
    yield own;
  }
}

/** The samples in row-major order; not copied if they are already in that order. `invalid` if there are too few samples. */
export function denseData({ data, shape, stride, dtype }: NDArray): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const size = sizeOf(shape);
  const ends = shape.map((n, d) => stride[d]! * (n - 1));
  const sum = (spans: number[]) => spans.reduce((total, span) => total + span, 0);
  const [first, last] = [sum(ends.filter((end) => end < 0)), sum(ends.filter((end) => end > 0))];
  if (size > 0 && !(stride.length === shape.length && first >= 0 && (last + 1) * units <= data.length)) {
    const text =
      `An array of ${showShape(shape)} ${dtype} with strides ${stride.join(", ")} reaches beyond its ` +
      `${data.length} numbers`;
    throw new TilewiseError("invalid", text, { expected: (last + 1) * units, found: data.length });
  }
  if (sameShape(stride, stridesOf(shape)) && data.length === size * units) return data;
  const dense = zeros(dtype, size);
  let n = 0;
  for (const at of positions({ shape, stride })) {
    for (let u = 0; u < units; u++) dense[n++] = data[at * units + u]!;
  }
  return dense;
}
