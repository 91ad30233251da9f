/**
 * Where the first block of a sector begins.
 *
 * @module
 */

import { BLOCK_HEADER, blockHeader } from "../../dataset/layout/sectors.ts";

/** Byte of the first block among `bytes`, the first ones of a file; −1 if none begins there. */
export function findBlock(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = bytes.indexOf(0xff); at >= 0 && at + BLOCK_HEADER <= bytes.length;) {
    if (blockHeader(view, at)) return at;
    const next = bytes.subarray(at + 1).indexOf(0xff);
    at = next < 0 ? -1 : at + 1 + next;
  }
  return -1;
}
