/**
 * Rows of the kernels that describe frames and stacks of frames.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import type { Sizes } from "../families/describe.ts";
import { minMax, moments, sumPixels, welford, welfordMerge } from "../reference/statistics.ts";
import { accumulator, type FamilyRow, frames, pixels } from "./common/row.ts";

const perPixel = (sizes: Sizes) => sizes.pixels;
const before = ({ seed }: Sizes) => seed % 5;

/** Sums a frame, extremes, moments, deviations. */
export const STATISTICS: {
  readonly sum_pixels: FamilyRow<"sum_pixels">;
  readonly min_max: FamilyRow<"min_max">;
  readonly moments: FamilyRow<"moments">;
  readonly welford: FamilyRow<"welford">;
  readonly welford_merge: FamilyRow<"welford_merge">;
} = {
  sum_pixels: {
    reference: sumPixels,
    parameters: (dtype, order) => [
      accumulator(
        "out",
        (sizes) => Math.max(0, sizes.frames * (1 + sizes.gap) - sizes.gap),
        ({ gap }) => ({ bytes: 8, stride: 8 * (1 + gap) }),
      ),
      (sizes) => 8 * (1 + sizes.gap),
      ...frames(dtype, order),
      (sizes) => sizes.rows,
      (sizes) => sizes.rowLength,
    ],
  },
  min_max: {
    reference: minMax,
    parameters: (dtype, order) => [
      accumulator("out", () => 2),
      {
        name: "data",
        role: "in",
        dtype,
        order,
        bytes: (sizes) => sizes.pixels * dtypeInfo(dtype).itemSize,
        values: "any",
      },
      pixels,
    ],
  },
  moments: {
    reference: moments,
    parameters: (dtype, order) => [
      accumulator("sum", perPixel),
      accumulator("squares", perPixel),
      ...frames(dtype, order),
      pixels,
    ],
  },
  welford: {
    reference: welford,
    parameters: (dtype, order) => [
      accumulator("mean", perPixel),
      accumulator("m2", perPixel),
      before,
      ...frames(dtype, order),
      pixels,
    ],
  },
  welford_merge: {
    reference: welfordMerge,
    parameters: () => [
      accumulator("meanA", perPixel),
      accumulator("m2A", perPixel),
      before,
      accumulator("meanB", perPixel),
      accumulator("m2B", perPixel),
      ({ seed }) => seed % 3,
      pixels,
    ],
  },
};
