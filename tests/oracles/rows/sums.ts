/**
 * Rows of the kernels that add samples.
 *
 * @module
 */

import { sumFrames } from "../twins/sums.ts";
import { accumulator, frames, pixels, type Rows } from "./common/row.ts";

/** Sums over frames and over pixels. */
export const SUMS: Rows<"sum_frames"> = {
  sum_frames: {
    reference: sumFrames,
    parameters: (dtype) => ({ acc: accumulator(pixels), ...frames(dtype), pixels }),
  },
};
