/**
 * The buffers of readers of frames in sectors.
 *
 * @module
 */

import type { Box } from "../../../space/box.ts";
import { framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import { BLOCKS_ACROSS, K2_SHAPE, SECTOR_BYTES, SECTORS } from "../../layout/sectors.ts";
import { halfSectorOf } from "./tiling.ts";

/** Bytes of a row of samples. */
export const ROW_BYTES: number = 2 * K2_SHAPE[1]!;
/** Bytes between frames: rows are 4 KiB, and frames at multiples of that would share few lines of the L1 cache. */
export const PADDING = 192;

/** Bytes of a row of a part in one half of a sector. */
export const HALF_ROW_BYTES: number = 2 * 16 * BLOCKS_ACROSS;
/** Bytes between such parts: at multiples of 4 KiB they would share few lines of the first cache. */
export const HALF_PADDING = 192;

/** Bytes of the buffers that a reader of `largest` takes: blocks, and samples. */
export function sectorBuffers(layout: FrameLayout, maxFrames: number, largest: Box): number[] {
  return halfSectorOf(largest, layout.sigShape)
    ? halfBuffers(maxFrames, largest)
    : anyBuffers(layout, maxFrames, largest);
}

/** Those of a reader of parts in one half of a sector. */
export function halfBuffers(maxFrames: number, { shape }: Box): number[] {
  return [maxFrames * SECTOR_BYTES / 2, maxFrames * (shape[0]! * HALF_ROW_BYTES + HALF_PADDING)];
}

/** Those of a reader of any parts. */
export function anyBuffers(layout: FrameLayout, maxFrames: number, largest: Box): number[] {
  const { starts, runBytes } = framePart(layout, largest);
  const rows = Math.ceil(((starts.at(-1) ?? 0) - (starts[0] ?? 0) + runBytes) / ROW_BYTES);
  const most = Math.min(rows + 1, K2_SHAPE[0]!); // one more where a part begins inside of a row
  return [maxFrames * SECTORS * SECTOR_BYTES, maxFrames * (most * ROW_BYTES + PADDING)];
}
