/**
 * Rows of the smallest and the largest samples of windows.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import { windowMax, windowMin } from "../../twins/windows.ts";
import { numbers, pixels, type RowParameters, type Rows } from "../common/row.ts";

/** Extremes of windows along one dimension. */
export const WINDOWS: Rows<"window_min" | "window_max"> = {
  window_min: { reference: windowMin, parameters },
  window_max: { reference: windowMax, parameters },
};

function parameters(dtype: DType): RowParameters<"window_min"> {
  const { itemSize } = dtypeInfo(dtype);
  return {
    out: numbers(dtype, pixels),
    data: numbers(
      dtype,
      (sizes) => sizes.pixels === 0 ? 0 : sizes.pixels + (count(sizes) - 1) * apart(sizes),
    ),
    n: pixels,
    step: (sizes) => apart(sizes) * itemSize,
    count,
  };
}

const count = ({ seed }: Sizes) => 1 + seed % 6;

/** Adjacent samples, or samples at a distance, such as those of other rows. */
const apart = ({ seed, gap, pixels }: Sizes) => [1, pixels + gap][seed % 2]!;
