/**
 * How MRC files are recognised.
 *
 * @module
 */

import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { Format, Match, Probe } from "../common/format.ts";
import { byteOrderOf, HEAD_BYTES, MODES } from "./marks.ts";
import { isGzip } from "./gzip_head.ts";

/** MRC files. */
export const mrc: Format = {
  id: "mrc",
  title: "MRC",
  extensions: ["mrc", "mrcs", "map", "ccp4", "st", "rec", "gz"],
  detect,
};

async function detect(probe: Probe): Promise<Match> {
  const { head, name } = probe;
  if (isGzip(head)) {
    const { gunzipStart } = await import("../common/gzip.ts"); // it brings kernels with it
    const inside = await gunzipStart(head, HEAD_BYTES);
    const { claim, why } = matches(inside, name);
    return claim === "yes" ? { claim, why: `is compressed with gzip; inside it ${why}` } : { claim, why };
  }
  return matches(head, name);
}

/** Whether these are the first bytes of an MRC file: its letters, or sizes and a mode that make sense together. */
function matches(head: Uint8Array, name: string): Match {
  if (head.length < HEAD_BYTES) return { claim: "no", why: "is shorter than a header of MRC" };
  if (String.fromCharCode(...head.subarray(208, 211)) === "MAP") {
    return { claim: "yes", why: 'has the letters "MAP" at byte 208' };
  }
  const order = byteOrderOf(head);
  const fields = new Fields(head, name, order);
  const [nx, ny, nz, mode] = [0, 4, 8, 12].map((at) => fields.i32(at)) as [number, number, number, number];
  const sound = [nx, ny, nz].every((n) => n > 0 && n <= MOST_PIXELS) && mode in MODES;
  const axes = [64, 68, 72].map((at) => fields.i32(at)).sort().join();
  if (sound && (axes === "1,2,3" || (axes === "0,0,0" && /\.(mrcs?|st|rec)$/i.test(name)))) {
    return { claim: "yes", why: `has sizes ${nx}, ${ny}, ${nz}, mode ${mode} and axes of an old MRC file` };
  }
  return {
    claim: "no",
    why: 'has no letters "MAP" at byte 208, and no sizes, mode and axes of an old MRC file',
  };
}
