/**
 * Sizes of packed samples, unsigned integers of 1 to 32 bits without gaps between them; `bits.ts` unpacks them.
 *
 * @module
 */

import type { DType } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";

/** The smallest dtype that holds samples of `bits` bits. */
export function bitsDType(bits: number): DType {
  return bits <= 8 ? "uint8" : bits <= 16 ? "uint16" : "uint32";
}

/**
 * Bytes of a packed frame.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(packedBytes([3, 3], 12), 14);
 * ```
 */
export function packedBytes(sigShape: Shape, bits: number): number {
  return Math.ceil(sizeOf([...sigShape, bits]) / 8);
}
