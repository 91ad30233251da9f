/**
 * Writes TIFF stacks: a page a frame, not compressed.
 *
 * @module
 */

import { tiffKeeps } from "../tiff/keeps.ts";
import { tiffPages } from "../tiff/stack.ts";
import { targetNamed } from "../registry.ts";
import { cannotHold, plainLayout, type RowTarget } from "./layout.ts";

/** A stack of pages. */
export const tiffStack: RowTarget = {
  ...targetNamed("tiff"),
  keeps: tiffKeeps(({ shape }) => Math.max(0, shape.length - 2)),
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const isRow = nav.length === 0 && sig.length < 2; // an array of its own
    if (sig.length !== 2 && !isRow) throw cannotHold(frames, "TIFF", "images");
    const { head, headerBytes, footerBytes, header } = tiffPages([...nav, ...sig], dtype);
    return { ...plainLayout(head), headerBytes, footerBytes, header };
  },
};
