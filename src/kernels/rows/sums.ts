/**
 * Rows of the kernels that add samples up.
 *
 * @module
 */

import { sumFrames } from "../reference/sums.ts";
import { accumulator, type FamilyRow, frames, pixels } from "./common/row.ts";

/** Sums over frames and over pixels. */
export const SUMS: { readonly sum_frames: FamilyRow<"sum_frames"> } = {
  sum_frames: {
    reference: sumFrames,
    parameters: (dtype, order) => [
      accumulator("acc", (sizes) => sizes.pixels),
      ...frames(dtype, order),
      pixels,
    ],
  },
};
