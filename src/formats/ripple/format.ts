/**
 * How descriptions of Ripple are recognised.
 *
 * @module
 */

import type { Format } from "../common/format.ts";

/** Maximum size of a description. */
export const MOST_BYTES = 65536;

/** Raw data with a Ripple description. */
export const ripple: Format = {
  id: "ripple",
  title: "Ripple (rpl + raw)",
  extensions: ["rpl"],
  detect({ head, size }) {
    const fields = parseFields(new TextDecoder("latin1").decode(head));
    const found = ["data-length", "data-type", "width"].filter((key) => fields.has(key));
    return size <= MOST_BYTES && found.length === 3
      ? { claim: "yes", why: `text with the keys ${found.join(", ")} of a Ripple header` }
      : { claim: "no", why: "is not a text with the keys data-length, data-type and width" };
  },
};

/** Keys in lower case with their values; comments, further columns and lines without a value are left out. */
export function parseFields(text: string): Map<string, string> {
  const lines = text.replace(/^\xef\xbb\xbf/, "").split(/\r\n?|\n/).map((line) =>
    line.split(";", 1)[0]!.trim()
  );
  return new Map(lines.flatMap((line) => {
    const key = /^[a-z][a-z-]*(?=[ \t])/i.exec(line)?.[0];
    const value = key && line.slice(key.length).trim().split("\t", 1)[0]!.trim();
    return value ? [[key.toLowerCase(), value]] : [];
  }));
}
