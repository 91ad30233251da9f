/**
 * Arrays as they travel to and from the peer: type, shape and the bytes as text.
 *
 * @module
 */

import { type DType, dtypeInfo, DTYPES, typedArray } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { product } from "./spec.ts";

/** An array in JSON. */
export interface WireArray {
  /** Name of the type, as NumPy has it. */
  readonly dtype: string;
  /** Its shape. */
  readonly shape: readonly number[];
  /** Samples in row-major order, little endian, as Base64. */
  readonly base64: string;
}

/**
 * An array as JSON.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ndarray } from "../../../src/space/ndarray.ts";
 * const array = ndarray(Uint8Array.of(1, 2), [2], "uint8");
 * assertEquals(fromWire(toWire(array)), array);
 * ```
 */
export function toWire({ data, shape, dtype }: NDArray): WireArray {
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return { dtype, shape, base64: bytes.slice().toBase64() };
}

/** The array that JSON describes. */
export function fromWire({ dtype, shape, base64 }: WireArray): NDArray {
  const known = DTYPES.find((name): name is DType => name === dtype);
  if (!known) throw new Error(`The peer sent an array of ${dtype}`);
  const bytes = Uint8Array.fromBase64(base64);
  const length = product(shape);
  if (bytes.length !== length * dtypeInfo(known).itemSize) {
    throw new Error(`The peer sent ${bytes.length} bytes`);
  }
  return ndarray(typedArray(known, bytes.buffer, 0, length), shape, known);
}
