/**
 * How FITS files are recognised.
 *
 * @module
 */

import { type Format, isGzip, type Match, type Probe } from "../common/format.ts";

/** Bytes of a card, a line of a header. */
const CARD_BYTES = 80;

/** FITS files, also compressed with gzip. */
export const fits: Format = {
  id: "fits",
  title: "FITS",
  extensions: ["fits", "fit", "fts", "gz"],
  detect,
};

async function detect({ head }: Probe): Promise<Match> {
  if (!isGzip(head)) return matches(head);
  const { gunzipStart } = await import("../common/gzip.ts"); // it brings kernels with it
  const { claim, why } = matches(await gunzipStart(head, CARD_BYTES));
  return claim === "yes" ? { claim, why: `is compressed with gzip; inside it ${why}` } : { claim, why };
}

function matches(head: Uint8Array): Match {
  return /^SIMPLE {2}= +T/.test(String.fromCharCode(...head.subarray(0, CARD_BYTES)))
    ? { claim: "yes", why: "begins with the card SIMPLE = T" }
    : { claim: "no", why: "does not begin with the card SIMPLE = T" };
}
