/**
 * How files of PNDetector are recognised.
 *
 * @module
 */

import { Fields } from "../common/fields.ts";
import type { Format } from "../common/format.ts";

/** Bytes before the first frame header of a file. */
export const FILE_HEADER = 1024;
/** Bytes before every frame. */
export const FRAME_HEADER = 64;

/** PNDetector. */
export const frms6: Format = {
  id: "frms6",
  title: "PNDetector FRMS6",
  extensions: ["frms6", "hdr"],
  detect({ head }) {
    if (isFrms6(head)) {
      return { claim: "yes", why: "begins with headers of 1024 and 64 bytes and version 6, as FRMS6 does" };
    }
    return isFrms6Info(head)
      ? {
        claim: "yes",
        why: "text with a section [measurementInfo] and a readoutMode, the description of FRMS6 files",
      }
      : { claim: "no", why: "has neither the header of FRMS6 nor a section [measurementInfo]" };
  },
};

/** Whether the first bytes of a file are those of a data file. */
function isFrms6(head: Uint8Array): boolean {
  if (head.length < FILE_HEADER) return false;
  const fields = new Fields(head, "");
  const sizes = [fields.u16(88), fields.u16(90)] as const;
  return fields.u16(0) === FILE_HEADER && fields.u16(2) === FRAME_HEADER && fields.u8(7) === 6 &&
    sizes[0] > 0 && sizes[1] > 0 && sizes[0] % 2 === 0;
}

/** Whether the first bytes of a file are those of such a text. */
function isFrms6Info(head: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(head);
  return /^\s*\[measurementInfo\]\s*$/m.test(text) && /^\s*readoutMode\s*[=:]/mi.test(text);
}
