/**
 * The bytes of a `.npy` file for an array in memory.
 *
 * @module
 */

import { npyHeader } from "../codecs/npy_header.ts";
import { TilewiseError } from "../errors.ts";
import { dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { sameShape, showShape, sizeOf, stridesOf } from "../space/shape.ts";
import { positions } from "./scale.ts";

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
export function encodeNpy(array: NdArray): Uint8Array {
  const header = npyHeader(array.dtype, array.shape);
  const data = denseData(array);
  const samples = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  const out = new Uint8Array(header.length + samples.length);
  out.set(header);
  out.set(samples, header.length);
  return out;
}

/** The samples in row-major order; no copy when they lie that way already. `invalid` where there are fewer than that. */
export function denseData({ data, shape, stride, dtype }: NdArray): TypedArray {
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
