/**
 * How FITS files are recognised.
 *
 * @module
 */

import type { Format } from "../common/format.ts";

/** FITS files. */
export const fits: Format = {
  id: "fits",
  title: "FITS",
  extensions: ["fits", "fit", "fts"],
  detect: ({ head }) =>
    /^SIMPLE {2}= +T/.test(String.fromCharCode(...head.subarray(0, 30)))
      ? { claim: "yes", why: "begins with the card SIMPLE = T" }
      : { claim: "no", why: "does not begin with the card SIMPLE = T" },
};
