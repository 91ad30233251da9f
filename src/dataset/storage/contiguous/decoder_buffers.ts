/**
 * The buffers of frames that are decoded as a whole.
 *
 * @module
 */

import type { FramePart } from "../../layout/frame_part.ts";
import { frameBytes, type FrameLayout } from "../../layout/layout.ts";

/** Bytes of the buffers, one entry each: decoded frames, and parts of them where those have holes. */
export function decoderBuffers(layout: FrameLayout, maxFrames: number, part: FramePart): number[] {
  const decoded = maxFrames * frameBytes(layout.sigShape, layout.dtype);
  return [decoded, part.starts.length > 1 ? maxFrames * part.bytes : 0];
}
