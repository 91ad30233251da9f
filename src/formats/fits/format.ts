/**
 * How FITS files are recognised.
 *
 * @module
 */

import { type Format, type Match, matchInside } from "../common/format.ts";

/** Bytes of a card, a line of a header. */
const CARD_BYTES = 80;

/** FITS files, also compressed with gzip. */
export const fits: Format = {
  id: "fits",
  title: "FITS",
  extensions: ["fits", "fit", "fts", "gz"],
  detect: ({ head }) => matchInside(head, CARD_BYTES, matches),
};

function matches(head: Uint8Array): Match {
  return /^SIMPLE {2}= +T/.test(String.fromCharCode(...head.subarray(0, CARD_BYTES)))
    ? { claim: "yes", why: "begins with the card SIMPLE = T" }
    : { claim: "no", why: "does not begin with the card SIMPLE = T" };
}
