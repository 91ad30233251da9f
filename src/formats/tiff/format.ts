/**
 * How TIFF files are recognised.
 *
 * @module
 */

import type { Format, Match, Probe } from "../common/format.ts";
import { magicOf } from "./container/magic.ts";

/** Whether a description is OME-XML. */
export function isOme(text: string): boolean {
  const start = text.slice(0, 4000);
  return /<(\w+:)?OME[\s>]/.test(start) && /openmicroscopy\.org|<(\w+:)?(Image|BinaryOnly)\b/i.test(text);
}

/** Whether a file is a description of an OME-TIFF set without images. */
export function isCompanion(head: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(head.slice());
  return /^(\u00ef\u00bb\u00bf)?\s*</.test(text) && isOme(text) &&
    /<(\w+:)?OME[^>]*openmicroscopy/.test(text);
}

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
