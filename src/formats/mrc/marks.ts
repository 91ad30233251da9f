/**
 * What the header of MRC files is recognised by: sizes, mode and byte order that make sense together.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../space/dtype.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";

/** Bytes of the header, without its extension. */
export const HEAD_BYTES = 1024;

/** Sample types by mode; 101 has four bits per sample. */
export const MODES: Readonly<Record<number, DType>> = {
  0: "int8",
  1: "int16",
  2: "float32",
  4: "complex64",
  6: "uint16",
  12: "float16",
  101: "uint8",
};
/** The order of the machine stamp, unless sizes and mode make sense in the other one only; some stamps are missing or wrong. */
export function byteOrderOf(head: Uint8Array): ByteOrder {
  const stamp: ByteOrder = head[212] === 0x11 ? "big" : "little";
  const other: ByteOrder = stamp === "big" ? "little" : "big";
  return !isSound(head, stamp) && isSound(head, other) ? other : stamp;
}

function isSound(head: Uint8Array, order: ByteOrder): boolean {
  if (head.length < HEAD_BYTES) return false;
  const fields = new Fields(head, "", order);
  return fields.i32(12) in MODES &&
    [0, 4, 8].every((at) => fields.i32(at) > 0 && fields.i32(at) <= MOST_PIXELS);
}
