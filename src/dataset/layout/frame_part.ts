/**
 * The bytes of one part of a frame: where its runs begin, and whether frames are read one by one or together.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Box } from "../../space/box.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { type FrameLayout, framePitch } from "./layout.ts";

/** One file of the stack. */
interface FileRow {
  /** Its first image, counted over all files. */
  readonly start: number;
  /** One past its last image. */
  readonly end: number;
  /** Bytes before its first frame header. */
  readonly headerBytes: number;
}

/** A run of pixels that follow each other in a frame. */
export interface PixelRun {
  /** Flat index of the first. */
  readonly start: number;
  /** How many. */
  readonly length: number;
}

/**
 * The contiguous runs of a slice in a row-major frame, in order: one, where the slice is contiguous.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(pixelRuns({ origin: [1, 0], shape: [2, 4] }, [3, 4]), [{ start: 4, length: 8 }]);
 * assertEquals(pixelRuns({ origin: [1, 2], shape: [2, 2] }, [3, 4]), [
 *   { start: 6, length: 2 },
 *   { start: 10, length: 2 },
 * ]);
 * ```
 */
export function pixelRuns({ origin, shape }: Box, sigShape: Shape): PixelRun[] {
  // Full trailing dimensions and one dimension before them make up a run.
  let inner = sigShape.length - 1;
  while (inner > 0 && shape[inner] === sigShape[inner]) inner--;
  const length = sizeOf(shape.slice(Math.max(0, inner)));
  const runs: PixelRun[] = [];
  const at = [...origin];
  const count = sizeOf(shape) === 0 ? 0 : sizeOf(shape) / length;
  for (let i = 0; i < count; i++) {
    runs.push({ start: ravel(at, sigShape), length });
    for (let d = inner - 1; d >= 0; d--) {
      if (++at[d]! < origin[d]! + shape[d]!) break;
      at[d] = origin[d]!;
    }
  }
  return runs;
}

/** The file that holds `image`, by binary search; the last one for images past the end. */
export function fileOf(files: readonly FileRow[], image: number): number {
  let [low, high] = [0, files.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (files[middle]!.start <= image) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Gaps of at most this many bytes are read and dropped, as a second system call would cost more. */
export const JOIN_GAP = 8192;

/** Most bytes of the buffer through which parts with holes are gathered, unless one run is longer. */
const SCRATCH_BYTES: number = 256 * 1024;

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

const parts = new WeakMap<FrameLayout, WeakMap<Box, FramePart>>();

/** The part `box` of frames that are plain samples, made once; refused when it is not inside the frame. */
export function framePart(layout: FrameLayout, box: Box): FramePart {
  let known = parts.get(layout);
  if (!known) parts.set(layout, known = new WeakMap());
  let part = known.get(box);
  if (!part) known.set(box, part = partOf(layout, box));
  return part;
}

function partOf(layout: FrameLayout, box: Box): FramePart {
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
