/**
 * Writes `.npy` files as bytes; for samples that are written piece by piece there is `npyHeader`.
 *
 * @module
 */

import { npyHeader } from "../../codecs/npy_header.ts";
import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";

/**
 * A whole file for dense samples in row-major order (complex ones as pairs).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(encodeNpy(Uint16Array.of(7, 8), [2], "uint16").subarray(128), Uint8Array.of(7, 0, 8, 0));
 * ```
 */
export function encodeNpy(data: TypedArray, shape: Shape, dtype: DType): Uint8Array<ArrayBuffer> {
  const header = npyHeader(dtype, shape);
  const expected = sizeOf(shape) * dtypeInfo(dtype).itemSize;
  if (data.byteLength !== expected) {
    const text =
      `Cannot write ${showShape(shape)} ${dtype} as npy: that takes ${expected} bytes, there are ` +
      `${data.byteLength}`;
    throw new TilewiseError("invalid", text, { expected, found: data.byteLength });
  }
  const file = new Uint8Array(header.length + expected);
  file.set(header);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return file;
}
