/**
 * How TVIPS EM series are recognised.
 *
 * @module
 */

import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { Format, Match, Probe } from "../common/format.ts";

/** Bytes of the head of a file. */
export const HEAD_BYTES = 256;

/** TVIPS EM series. */
export const tvips: Format = {
  id: "tvips",
  title: "TVIPS EM series",
  extensions: ["tvips"],
  detect,
};

async function detect(probe: Probe): Promise<Match> {
  const first = firstName(probe.name);
  const own = headed(probe);
  if (first === undefined || own.claim === "yes") return own;
  const isThere = (await probe.siblings()).includes(first);
  if (isThere) {
    return { claim: "yes", why: `has the name of a later file of a series; the head is in ${first}` };
  }
  return {
    claim: "no",
    why: `has the name of a later file of a series; its head is in ${first}, which is not there`,
  };
}

/** Whether it begins with a head. */
export function headed({ head, name, size }: Probe): Match {
  if (head.length < 64) return { claim: "no", why: "is shorter than a head of TVIPS" };
  const f = new Fields(head, name);
  const [bytes, version, width, height, bits] = [0, 4, 8, 12, 16].map((at) => f.i32(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const sound = bytes === HEAD_BYTES && (version === 1 || version === 2) && [8, 16, 32, 64].includes(bits) &&
    [width, height].every((n) => n > 0 && n <= MOST_PIXELS) && size >= HEAD_BYTES;
  return sound
    ? {
      claim: "yes",
      why: `has a TVIPS head of 256 bytes, version ${version}, ${height} × ${width}, ${bits} bits`,
    }
    : { claim: "no", why: "has no TVIPS head: size 256, version 1 or 2, 8 to 64 bits" };
}

/** The name of the file with the head, if this is the name of a later one. */
export function firstName(name: string): string | undefined {
  const [, stem, number, ending] = /^(.*_)(\d{3})(\.tvips)$/i.exec(name) ?? [];
  return number === undefined || number === "000" ? undefined : `${stem}000${ending}`;
}
