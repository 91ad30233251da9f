/**
 * The bytes of a `.npy` file for an array in memory.
 *
 * @module
 */

import { dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { sameShape, sizeOf, stridesOf } from "../space/shape.ts";
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
  const { kind, itemSize } = dtypeInfo(array.dtype);
  const order = itemSize === 1 ? "|" : "<";
  const sizes = array.shape.map((n) => `${n},`).join(" ").replace(/^(.*,.*),$/, "$1");
  const text = `{'descr': '${order}${kind}${itemSize}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const header = padded(text);
  const data = denseData(array);
  const samples = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  const out = new Uint8Array(header.length + samples.length);
  out.set(header);
  out.set(samples, header.length);
  return out;
}

/** Magic, version, length and text; spaces fill it up so that the samples start at a multiple of 64. */
function padded(text: string): Uint8Array {
  const length = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, (length - 10) & 255, (length - 10) >> 8]);
  bytes.set(new TextEncoder().encode(text), 10);
  bytes[length - 1] = 0x0a;
  return bytes;
}

/** The samples in row-major order; no copy when they lie that way already. */
export function denseData({ data, shape, stride, dtype }: NdArray): TypedArray {
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const size = sizeOf(shape);
  if (sameShape(stride, stridesOf(shape)) && data.length === size * units) return data;
  const dense = zeros(dtype, size);
  let n = 0;
  for (const at of positions({ shape, stride })) {
    for (let u = 0; u < units; u++) dense[n++] = data[at * units + u]!;
  }
  return dense;
}
