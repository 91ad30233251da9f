/**
 * The header of `.npy` files, for all code that writes them.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** The first bytes of every `.npy` file: `\x93NUMPY`. */
export const NPY_MAGIC: readonly number[] = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Samples begin at a multiple of this, as NumPy wants it. */
const ALIGNMENT = 64;

/**
 * The header for little-endian samples in C order, version 1.0; the samples follow directly.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const header = npyHeader("uint16", [5, 96, 112]);
 * assertEquals([header.length, new TextDecoder().decode(header.subarray(1, 6))], [128, "NUMPY"]);
 * ```
 */
export function npyHeader(dtype: DType, shape: Shape): Uint8Array<ArrayBuffer> {
  sizeOf(shape); // refuses what is not a shape
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
