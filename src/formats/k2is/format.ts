/**
 * How files of Gatan K2 cameras are recognised.
 *
 * @module
 */

import { BLOCK_HEADER, blockHeader } from "../../dataset/layout/sectors.ts";
import { extensionOf } from "../../io/file/names.ts";
import type { Format, Match, Probe } from "../common/format.ts";
import { dmHead } from "../dm/head.ts";

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

/** Gatan K2 in-situ. */
export const k2is: Format = {
  id: "k2is",
  title: "Gatan K2 in-situ",
  extensions: ["gtg", "bin"],
  detect,
};

function detect({ head, name }: Probe): Match {
  if (extensionOf(name) === "gtg") {
    return dmHead(head)
      ? { claim: "yes", why: "has tags of Gatan and the ending .gtg, as those of K2IS data" }
      : {
        claim: "no",
        why: "ends in .gtg, but does not begin with a version and a byte order of Gatan's tags",
      };
  }
  const at = findBlock(head);
  if (at < 0) return { claim: "no", why: "has no block of K2IS in its first bytes" };
  return {
    claim: "yes",
    why: `has a block header of K2IS at byte ${at}: sync word, 256 × 1860, 22360 bytes`,
  };
}
