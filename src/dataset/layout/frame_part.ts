/**
 * The bytes of one part of a frame: where its runs begin, and whether frames are read one by one or together.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Box } from "../../space/box.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { type FrameLayout, framePitch } from "./layout.ts";
import { pixelRuns } from "./read_ranges.ts";

/** Gaps of at most this many bytes are read and dropped, as a second system call would cost more. */
export const JOIN_GAP = 8192;

/** Most bytes of the buffer through which parts with holes are gathered, unless one run is longer. */
export const SCRATCH_BYTES: number = 256 * 1024;

/** One part of every frame, in bytes from the first stored sample. */
export interface FramePart {
  /** Samples in it. */
  readonly pixels: number;
  /** Bytes in it. */
  readonly bytes: number;
  /** Where each run begins, ascending. One run: the part is contiguous. */
  readonly starts: readonly number[];
  /** Bytes of a run; all are equal. */
  readonly runBytes: number;
  /** Whether runs are so near to each other that they are read together. */
  readonly gather: boolean;
  /** Whether the part of one frame and that of the next are so near that they are read together. */
  readonly joined: boolean;
}

/** The whole of every stored frame, in any encoding. */
export function wholePart(layout: FrameLayout): FramePart {
  return {
    pixels: sizeOf(layout.sigShape),
    bytes: layout.storedBytes,
    starts: [0],
    runBytes: layout.storedBytes,
    gather: false,
    joined: isJoined(layout, layout.storedBytes),
  };
}

/** The part `box` of frames that are plain samples; refused when it is not inside the frame. */
export function framePart(layout: FrameLayout, box: Box): FramePart {
  checkBox(box, layout);
  const itemSize = dtypeInfo(layout.dtype).itemSize;
  const runs = pixelRuns(box, layout.sigShape);
  const starts = runs.map(({ start }) => start * itemSize);
  const runBytes = (runs[0]?.length ?? 0) * itemSize;
  const pixels = sizeOf(box.shape);
  const near = starts.some((start, i) => i > 0 && start - starts[i - 1]! - runBytes <= JOIN_GAP);
  return {
    pixels,
    bytes: pixels * itemSize,
    starts,
    runBytes,
    gather: near,
    joined: starts.length === 1 && isJoined(layout, runBytes),
  };
}

function isJoined(layout: FrameLayout, bytes: number): boolean {
  const gap = framePitch(layout) - bytes;
  return gap <= Math.max(JOIN_GAP, bytes / 8);
}

/** The bytes that buffers for `frames` frames of `part` take; `gathered` is 0 where nothing is gathered. */
export function partBytes(
  layout: FrameLayout,
  part: FramePart,
  frames: number,
): { samples: number; scratch: number } {
  const samples = frames * (part.joined ? framePitch(layout) : part.bytes);
  const span = part.starts.length > 1 ? part.starts.at(-1)! - part.starts[0]! + part.runBytes : 0;
  return { samples, scratch: part.gather ? Math.max(part.runBytes, Math.min(span, SCRATCH_BYTES)) : 0 };
}

function checkBox({ origin, shape }: Box, { sigShape }: FrameLayout): void {
  const fits = shape.length === sigShape.length &&
    shape.every((n, d) => n >= 0 && origin[d]! >= 0 && origin[d]! + n <= sigShape[d]!);
  if (fits) return;
  const text = `Cannot read the part of ${showShape(shape)} at (${origin.join(", ")}) of frames of ${
    showShape(sigShape)
  }`;
  throw new TilewiseError("invalid", text, { expected: showShape(sigShape), found: showShape(shape) });
}
