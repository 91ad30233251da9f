/**
 * The buffers of a reader of frames whose scan is stored fastest.
 *
 * @module
 */

import { roundUp } from "../../../memory/arena.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { floorPowerOfTwo } from "../../tiling/tiling_scheme.ts";
import { frameBytes, type FrameLayout, imageCount } from "../../layout/layout.ts";

/** Bytes of whole frames per read. */
const BLOCK_BYTES = 16 * 2 ** 20;

/** Bytes of the buffer that samples pass through. */
const PASSING_BYTES = 2 * 2 ** 20;

/** Lines that the buffer should have room for: their samples of one image fill a line of the cache. */
export const WANTED_LINES = 32;

/** Bytes between lines are an odd multiple of this: at powers of two they would share few lines of the caches. */
export const CACHE_LINE = 64;

/** Bytes of the buffers: frames, and what passes through. */
export function scanFirstBuffers(layout: FrameLayout, maxFrames: number, largest: Box): [number, number] {
  const bytes = boxSize(largest) * dtypeInfo(layout.dtype).itemSize;
  const isWhole = boxSize(largest) === sizeOf(layout.sigShape);
  const block = isWhole ? Math.min(floorPowerOfTwo(BLOCK_BYTES / bytes), imageCount(layout)) : 0;
  return [Math.max(maxFrames, block) * bytes, scratchBytes(layout)];
}

/** Bytes of the buffer that samples pass through. */
function scratchBytes(layout: FrameLayout): number {
  const all = imageCount(layout) * frameBytes(layout.sigShape, layout.dtype);
  return Math.min(PASSING_BYTES, roundUp(all, CACHE_LINE)) + WANTED_LINES * 2 * CACHE_LINE;
}
