/**
 * How NanoMEGAS block files are recognised.
 *
 * @module
 */

import type { Format, Match, Probe } from "../common/format.ts";

/** Bytes of the header. */
export const HEAD_BYTES = 240;

/** Magic numbers of the two versions. */
const MAGIC = [258, 259];

/** NanoMEGAS block files. */
export const blo: Format = {
  id: "blo",
  title: "NanoMEGAS blockfile",
  extensions: ["blo"],
  detect,
};

function detect({ head }: Probe): Match {
  const isText = head.length >= HEAD_BYTES && head.subarray(0, 6).every((byte) => byte >= 32 && byte < 127);
  const magic = head.length > 8 ? head[6]! | head[7]! << 8 : 0;
  return isText && MAGIC.includes(magic)
    ? { claim: "yes", why: `has the magic number ${magic} of blockfiles behind six letters` }
    : { claim: "no", why: "has no magic number of blockfiles at byte 6" };
}
