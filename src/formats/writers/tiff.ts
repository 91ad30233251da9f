/**
 * Writes TIFF stacks: a page a frame, not compressed.
 *
 * @module
 */

import { tiffPages } from "../../codecs/tiff_pages.ts";
import { cannotHold, type FrameWriter, plainLayout } from "./writer.ts";

/** A stack of pages. */
export const tiffWriter: FrameWriter = {
  id: "tiff",
  title: "TIFF",
  extensions: ["tif", "tiff"],
  sides: [],
  layout(frames) {
    const { nav, sig, dtype } = frames;
    if (sig.length !== 2) throw cannotHold(frames, "TIFF", "images");
    const { head, headerBytes, footerBytes, header } = tiffPages([...nav, ...sig], dtype);
    return { ...plainLayout(head), headerBytes, footerBytes, header };
  },
};
