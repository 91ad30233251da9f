/**
 * Frames of PNDetector pnCCD cameras, folded as two chips read them out, and the mean of their dark frames.
 *
 * ```
 * stored row r:  │ upper half, row r │ lower half, row r │      the lower chip is turned around
 *
 * image:         │ upper half        │  rows 0, 1, 2 …          each row `bin` times
 *                │ flah rewol        │  rows …, 2, 1, 0
 * ```
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { kernel } from "../kernels/registry.ts";
import { sizeOf } from "../space/shape.ts";
import { checkStored, type FrameDecoder, type FramesToDecode, numberParam } from "./codec.ts";

/** Most frames for a mean: sums of more frames of 16 bits do not fit into 32 bits. */
export const MOST_DARK_FRAMES = 65537;

/** How frames are folded: parameters of both codecs. */
interface Fold {
  /** Stored rows. */
  readonly rows: number;
  /** Samples of a row of the image. */
  readonly width: number;
  /** How often a row is shown. */
  readonly bin: number;
}

/** Decoder of the codec `frms6`; parameters: stored `rows`, `width` of the image, `bin`. */
export const frms6Decoder: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const { rows, width, bin } = foldOf(job);
    checkStored(job, 4 * rows * width);
    const unfold = kernel(job.kernels, "unfold", "uint16");
    const frameBytes = 4 * rows * width * bin;
    for (let f = 0; f < job.frames; f++) {
      unfold(job.dst + f * frameBytes, job.src + f * job.srcStride, rows, width, bin);
    }
  },
};

/**
 * Decoder of the codec `frms6_dark`: many folded frames become their mean, in float32. Parameters as of `frms6`, the
 * number of stored frames (`dark`) and the bytes from one to the next (`pitch`).
 */
export const frms6DarkDecoder: FrameDecoder = {
  decode(job: FramesToDecode): void {
    const { rows, width, bin } = foldOf(job);
    const [dark, pitch] = [numberParam(job, "dark"), numberParam(job, "pitch")];
    checkStored(job, (dark - 1) * pitch + 4 * rows * width);
    const mean = kernel(job.kernels, "mean_frames", "uint16");
    const bytes = new Uint8Array(job.memory.buffer);
    const rowBytes = 4 * width;
    for (let f = 0; f < job.frames; f++) {
      const dst = job.dst + f * 2 * rows * bin * rowBytes;
      for (let r = 0; r < rows; r++) {
        const src = job.src + f * job.srcStride + r * 4 * width;
        const upper = dst + r * bin * rowBytes;
        const lower = dst + (2 * rows - 1 - r) * bin * rowBytes;
        mean(upper, src, dark, pitch, width);
        mean(lower, src + 2 * width, dark, pitch, width);
        new Float32Array(job.memory.buffer, lower, width).reverse();
        for (let b = 1; b < bin; b++) {
          bytes.copyWithin(upper + b * rowBytes, upper, upper + rowBytes);
          bytes.copyWithin(lower + b * rowBytes, lower, lower + rowBytes);
        }
      }
    }
  },
};

function foldOf(job: FramesToDecode): Fold {
  const [rows, width, bin] = ["rows", "width", "bin"].map((name) => numberParam(job, name)) as [
    number,
    number,
    number,
  ];
  const pixels = sizeOf(job.sigShape);
  if (pixels === 2 * rows * bin * width) return { rows, width, bin };
  const text = `${rows} folded rows unfold to ${2 * rows * bin} × ${width} samples, frames have ${pixels}`;
  throw new TilewiseError("corrupt", text, { expected: 2 * rows * bin * width, found: pixels });
}
