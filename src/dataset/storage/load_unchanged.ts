/**
 * Loads frames and checks after the reads that their files have not changed since they were opened.
 *
 * @module
 */

import { unlessChanged } from "../../io/unchanged.ts";
import type { Box } from "../../space/box.ts";
import type { FrameReader, RawFrames } from "./reader.ts";

/** As `reader.load`; throws `changed`, also instead of any other error, if the files have changed. */
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
