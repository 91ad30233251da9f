/**
 * How TIFF files are recognised.
 *
 * @module
 */

import type { Format, Match, Probe } from "../common/format.ts";
import { magicOf } from "./container/magic.ts";
import { isCompanion } from "./ome/marks.ts";

/** TIFF files. */
export const tiff: Format = {
  id: "tiff",
  title: "TIFF",
  extensions: ["tif", "tiff", "btf", "tf8", "svs", "qptiff", "gtiff", "ome"],
  detect,
};

function detect({ head, store }: Probe): Match {
  const magic = magicOf(head);
  if (isCompanion(head) && !store) {
    return { claim: "yes", why: "is OME-XML, the description of a set of TIFF files" };
  }
  if (!magic) return { claim: "no", why: "does not begin with II or MM and the number 42 or 43" };
  const kind = magic.isBig ? "BigTIFF" : "classic TIFF";
  return {
    claim: "yes",
    why: `begins with ${head[0] === 0x49 ? "II" : "MM"} and ${head[2]! + head[3]!}: ${kind}`,
  };
}
