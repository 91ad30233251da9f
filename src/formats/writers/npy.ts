/**
 * Writes NumPy's `.npy`: any samples, any shape.
 *
 * @module
 */

import { npyHeader } from "../../codecs/npy_header.ts";
import { type FrameWriter, plainLayout } from "./writer.ts";

/** NumPy arrays. */
export const npyWriter: FrameWriter = {
  id: "npy",
  title: "npy",
  extensions: ["npy"],
  sides: [],
  layout: ({ nav, sig, dtype }) => plainLayout(npyHeader(dtype, [...nav, ...sig])),
};
