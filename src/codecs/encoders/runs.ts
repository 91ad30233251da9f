/**
 * Packs bytes as PackBits does: runs of a byte, and literal bytes. Source: TIFF revision 6.0, section 9.
 *
 * @module
 */

import type { Encode } from "./encoder.ts";

/** Most bytes of a run, of either kind. */
const MOST = 128;

/** Packs rows one by one, as TIFF asks; values: bytes per row. */
export const packbits: Encode = (bytes, [row = bytes.length]) => {
  const out = new Uint8Array(bytes.length + Math.ceil(row / MOST) * Math.ceil(bytes.length / row));
  let to = 0;
  for (let start = 0; start < bytes.length; start += row) {
    to = packRow(bytes, start, Math.min(start + row, bytes.length), out, to);
  }
  return out.slice(0, to);
};

function packRow(bytes: Uint8Array, start: number, stop: number, out: Uint8Array, to: number): number {
  for (let at = start; at < stop;) {
    const run = runAt(bytes, at, stop);
    if (run >= 3) {
      out[to++] = 257 - run;
      out[to++] = bytes[at]!;
      at += run;
      continue;
    }
    const first = at;
    while (at < stop && at - first < MOST && runAt(bytes, at, Math.min(stop, at + 3)) < 3) at++;
    out[to++] = at - first - 1;
    out.set(bytes.subarray(first, at), to);
    to += at - first;
  }
  return to;
}

/** Equal bytes from `at` on, at most {@link MOST}. */
function runAt(bytes: Uint8Array, at: number, stop: number): number {
  const end = Math.min(stop, at + MOST);
  let next = at + 1;
  while (next < end && bytes[next] === bytes[at]) next++;
  return next - at;
}
