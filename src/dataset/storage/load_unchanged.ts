/**
 * Frames that count: their files are what they were when they were opened, also after the frames have been read.
 *
 * @module
 */

import { unlessChanged } from "../../io/unchanged.ts";
import type { Box } from "../../space/box.ts";
import type { FrameReader, RawFrames } from "./reader.ts";

/** As `reader.load`; `changed` where the files are others by now, also in place of what else may have failed then. */
export async function loadUnchanged(
  reader: FrameReader,
  images: ArrayLike<number>,
  box?: Box,
  signal?: AbortSignal,
): Promise<RawFrames> {
  try {
    const raw = await reader.load(images, box, signal);
    reader.recheck();
    return raw;
  } catch (error) {
    throw unlessChanged(error, () => reader.recheck());
  }
}
