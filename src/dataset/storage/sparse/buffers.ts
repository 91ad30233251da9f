/**
 * The buffers of readers of sparse frames.
 *
 * @module
 */

import { ALIGNMENT, roundUp } from "../../../memory/arena.ts";
import type { Box } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { SparseStorage } from "../../layout/storage.ts";

/** Row pointers and faults, samples, columns as stored, and columns as i32 if they need another place. */
export function csrBuffers(
  { dtype, storage }: FrameLayout<SparseStorage>,
  maxFrames: number,
  maxEntries: number,
): number[] {
  const stored = dtypeInfo(storage.indexDType).itemSize;
  return [
    4 * (maxFrames + 3),
    maxEntries * dtypeInfo(dtype).itemSize,
    maxEntries * stored,
    ...(stored < 4 ? [maxEntries * 4] : []),
  ];
}

/** Bytes of a slab that a reader of such blocks takes. */
export function csrBytes(layout: FrameLayout<SparseStorage>, maxFrames: number, maxEntries: number): number {
  return csrBuffers(layout, maxFrames, maxEntries).reduce((sum, n) => sum + roundUp(n, ALIGNMENT), 0);
}

/** Bytes of the buffers for readers of all samples: entries, and samples. */
export function csrFrameBuffers(
  layout: FrameLayout<SparseStorage>,
  maxFrames: number,
  box: Box,
  maxEntries: number,
): number[] {
  return [csrBytes(layout, maxFrames, maxEntries), maxFrames * framePart(layout, box).bytes];
}
