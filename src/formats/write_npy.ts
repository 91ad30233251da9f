/**
 * Writes `.npy` files: the header for samples that are written piece by piece, and whole arrays.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type DType, dtypeInfo, type TypedArray } from "../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { NPY_MAGIC } from "./npy_header.ts";

/** Samples begin at a multiple of this, as NumPy wants it. */
const ALIGNMENT = 64;

/**
 * The header for little-endian samples in C order, version 1.0; the samples follow it at once.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const header = npyHeader("uint16", [5, 96, 112]);
 * assertEquals([header.length, new TextDecoder().decode(header.subarray(1, 6))], [128, "NUMPY"]);
 * ```
 */
export function npyHeader(dtype: DType, shape: Shape): Uint8Array<ArrayBuffer> {
  sizeOf(shape); // refuses what is no shape
  const { kind, itemSize } = dtypeInfo(dtype);
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '${
    itemSize > 1 ? "<" : "|"
  }${kind}${itemSize}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const length = Math.ceil((10 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = new Uint8Array(length).fill(0x20);
  header.set([...NPY_MAGIC, 1, 0]);
  new DataView(header.buffer).setUint16(8, length - 10, true);
  header.set(new TextEncoder().encode(text), 10);
  header[length - 1] = 0x0a;
  return header;
}

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
