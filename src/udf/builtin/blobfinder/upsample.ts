/**
 * The maximum of a periodic image with sub-pixel precision, by trigonometric interpolation on a fine grid around the
 * highest pixel. The values are those of a Fourier transform padded with zeros, but computed at only a few places.
 *
 * M. Guizar-Sicairos, S. T. Thurman and J. R. Fienup (Opt. Lett. 33, 156, 2008) multiply the spectrum with two matrices
 * of exponentials; here the image itself is multiplied with two matrices of Dirichlet kernels.
 *
 * @module
 */

import { cosine, sine } from "../../../space/functions/functions.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { arraysOf } from "../../../space/ndarray.ts";
import type { ScratchSpec } from "../../interface/udf.ts";
import type { UdfContext } from "../../interface/udf_meta.ts";
import { mod } from "./patterns.ts";

/** Half the side of the search window, in pixels. */
const REACH = 0.75;

/** Steps on each side of the highest pixel, of `1 / factor` pixels. */
function stepsOf(factor: number): number {
  return Math.floor(REACH * factor);
}

/** Number of places along both axes, rounded up to a size that the kernel takes. */
function padOf(factor: number): number {
  return 16 * Math.ceil((2 * stepsOf(factor) + 1) / 16);
}

/** Tables for images of `height × width`; none if `factor` is 0. */
export function upsampleConstants(height: number, width: number, factor: number): Record<string, TypedArray> {
  if (!factor) return {};
  return { upsampleRows: kernelTable(height, factor), upsampleColumns: kernelTable(width, factor) };
}

/** Scratch for images with `height` rows; none if `factor` is 0. */
export function upsampleScratch(height: number, factor: number): Record<string, ScratchSpec> {
  if (!factor) return {};
  return {
    upsamplePlace: { dtype: "float32", length: 2 },
    upsamplePartial: { dtype: "float32", length: height * padOf(factor) },
  };
}

/** Finds maxima in steps of `1 / factor` pixels, in images of one size. */
export class Upsampler {
  /** For images of `height × width`. */
  constructor(
    private readonly height: number,
    private readonly width: number,
    private readonly factor: number,
    private readonly context: UdfContext,
  ) {}

  /** The offset of the maximum from the highest pixel (y, x); pixels lie `step` bytes apart from address `image` on. */
  refine(image: number, step: number, y: number, x: number): [dy: number, dx: number] {
    const { kernels, constants, scratch } = this.context;
    const { factor, height, width } = this;
    const steps = stepsOf(factor);
    const { upsamplePlace: place } = arraysOf(scratch, { upsamplePlace: "float32" });
    kernel(kernels, "upsample_peak", "float32")(
      place.byteOffset,
      image,
      step,
      height,
      width,
      mod(y, height),
      mod(x, width),
      constants.upsampleRows!.byteOffset,
      constants.upsampleColumns!.byteOffset,
      2 * steps + 1,
      padOf(factor),
      scratch.upsamplePartial!.byteOffset,
    );
    return [(place[0]! - steps) / factor, (place[1]! - steps) / factor];
  }
}

/** `D(s / factor − d)` for every distance d and step s: the weight of a pixel for a place between pixels. */
function kernelTable(n: number, factor: number): Float32Array {
  const [steps, pad] = [stepsOf(factor), padOf(factor)];
  const table = new Float32Array(n * pad);
  for (let d = 0; d < n; d++) {
    for (let s = -steps; s <= steps; s++) table[d * pad + s + steps] = dirichlet(s / factor - d, n);
  }
  return table;
}

/** The periodic interpolation kernel of n samples: 1 at 0, 0 at all other whole numbers. */
function dirichlet(t: number, n: number): number {
  if (mod(t, n) === 0) return 1;
  if (Number.isInteger(t)) return 0;
  const ratio = sine(Math.PI * t) / n, angle = Math.PI * t / n;
  return n % 2 ? ratio / sine(angle) : ratio * cosine(angle) / sine(angle);
}
