/**
 * The first four bytes of a TIFF file: byte order, and whether it is a BigTIFF.
 *
 * @module
 */

import type { ByteOrder } from "../../../space/dtype.ts";

/** What the first bytes say. */
export interface Magic {
  /** Byte order of all numbers. */
  readonly byteOrder: ByteOrder;
  /** Whether it is a BigTIFF. */
  readonly isBig: boolean;
}

/** The kind of TIFF that begins with `head`; `undefined` if it is not a TIFF. */
export function magicOf(head: Uint8Array): Magic | undefined {
  const [a, b, c, d] = head;
  if (a === 0x49 && b === 0x49 && d === 0 && (c === 42 || c === 43)) {
    return { byteOrder: "little", isBig: c === 43 };
  }
  if (a === 0x4d && b === 0x4d && c === 0 && (d === 42 || d === 43)) {
    return { byteOrder: "big", isBig: d === 43 };
  }
  return undefined;
}
