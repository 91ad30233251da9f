/**
 * How the frames of views are read: which part of each, how many at a time, in how much memory.
 *
 * @module
 */

import { type Box, box } from "../space/box.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { FrameArray } from "./array.ts";

/** Largest number of bytes of frames that are read at a time, unless one frame is larger. */
const BLOCK = 2 ** 20;

/** How frames are read. */
export interface FrameReading {
  /** The part of a frame that is read; it has this shape for every view, only its origin differs. */
  readonly part: Box;
  /** Largest number of frames that are read at a time. */
  readonly frames: number;
}

/** How the frames of `array` are read under views of `shape`. */
export function frameReading({ layout, shape: whole, dtype }: FrameArray, shape: Shape): FrameReading {
  const navs = whole.length - layout.sigShape.length;
  const part = box(
    layout.sigShape.map(() => 0),
    layout.sigShape.map((n, d) => Math.min(n, shape[navs + d]!)),
  );
  const wanted = sizeOf(shape.slice(0, navs).map((n, d) => Math.min(n, whole[d]!)));
  const partBytes = Math.max(1, sizeOf([...part.shape, dtypeInfo(dtype).itemSize]));
  const frames = Math.max(1, Math.min(wanted, Math.floor(BLOCK / partBytes)));
  return { part, frames };
}
