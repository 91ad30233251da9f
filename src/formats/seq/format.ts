/**
 * How Norpix sequences are recognised.
 *
 * @module
 */

import { Fields } from "../common/fields.ts";
import type { Format, Match, Probe } from "../common/format.ts";

const MAGIC = 0xfeed;

/** Norpix sequences. */
export const seq: Format = {
  id: "seq",
  title: "Norpix sequence",
  extensions: ["seq"],
  detect,
};

function detect({ head, name }: Probe): Match {
  const isSeq = head.length >= 644 && new Fields(head, name).u32(0) === MAGIC;
  return isSeq
    ? { claim: "yes", why: "begins with the magic number of Norpix sequences, 0xFEED" }
    : { claim: "no", why: "does not begin with 0xFEED" };
}
