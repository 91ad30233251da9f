/**
 * Rows of the kernels that describe frames and stacks of frames.
 *
 * @module
 */

import type { Sizes } from "./common/describe.ts";
import { minMax, moments, sumPixels, welford, welfordMerge } from "../twins/statistics.ts";
import { accumulator, frames, numbers, pixels, rowLength, type Rows, rows } from "./common/row.ts";

const before = ({ seed }: Sizes) => seed % 5;

/** Sums per frame, extremes, moments, deviations. */
export const STATISTICS: Rows<"sum_pixels" | "min_max" | "moments" | "welford" | "welford_merge"> = {
  sum_pixels: {
    reference: sumPixels,
    parameters: (dtype) => ({
      out: accumulator(
        (sizes) => Math.max(0, sizes.frames * (1 + sizes.gap) - sizes.gap),
        ({ gap }) => ({ bytes: 8, stride: 8 * (1 + gap) }),
      ),
      outStride: (sizes) => 8 * (1 + sizes.gap),
      ...frames(dtype),
      rows,
      rowLength,
    }),
  },
  min_max: {
    reference: minMax,
    parameters: (dtype) => ({ out: accumulator(() => 2), data: numbers(dtype, pixels), n: pixels }),
  },
  moments: {
    reference: moments,
    parameters: (dtype) => ({
      sum: accumulator(pixels),
      squares: accumulator(pixels),
      ...frames(dtype),
      pixels,
    }),
  },
  welford: {
    reference: welford,
    parameters: (dtype) => ({
      mean: accumulator(pixels),
      m2: accumulator(pixels),
      before,
      ...frames(dtype),
      pixels,
    }),
  },
  welford_merge: {
    reference: welfordMerge,
    parameters: () => ({
      meanA: accumulator(pixels),
      m2A: accumulator(pixels),
      nA: before,
      meanB: accumulator(pixels),
      m2B: accumulator(pixels),
      nB: ({ seed }) => seed % 3,
      pixels,
    }),
  },
};
