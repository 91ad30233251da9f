/**
 * How MRC files are recognised: by sizes, mode and byte order that make sense together.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../space/dtype.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import { type Format, type Match, matchInside } from "../common/format.ts";

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

/** MRC files. */
export const mrc: Format = {
  id: "mrc",
  title: "MRC",
  extensions: ["mrc", "mrcs", "map", "ccp4", "st", "rec", "gz"],
  detect: ({ head, name }) => matchInside(head, HEAD_BYTES, (inside) => matches(inside, name)),
};

/** Whether these are the first bytes of an MRC file: its letters, or sizes and a mode that make sense together. */
function matches(head: Uint8Array, name: string): Match {
  if (head.length < HEAD_BYTES) return { claim: "no", why: "is shorter than a header of MRC" };
  if (String.fromCharCode(...head.subarray(208, 211)) === "MAP") {
    return { claim: "yes", why: 'has the letters "MAP" at byte 208' };
  }
  const order = byteOrderOf(head);
  const fields = new Fields(head, name, order);
  const [nx, ny, nz, mode] = [0, 4, 8, 12].map((at) => fields.i32(at)) as [number, number, number, number];
  const sound = [nx, ny, nz].every((n) => n > 0 && n <= MOST_PIXELS) && mode in MODES;
  const axes = [64, 68, 72].map((at) => fields.i32(at)).sort().join();
  if (sound && (axes === "1,2,3" || (axes === "0,0,0" && /\.(mrcs?|st|rec)$/i.test(name)))) {
    return { claim: "yes", why: `has sizes ${nx}, ${ny}, ${nz}, mode ${mode} and axes of an old MRC file` };
  }
  return {
    claim: "no",
    why: 'has no letters "MAP" at byte 208, and no sizes, mode and axes of an old MRC file',
  };
}
