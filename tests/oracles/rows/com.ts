/**
 * Row of the centre of mass.
 *
 * @module
 */

import type { Sizes } from "./common/describe.ts";
import { com } from "../twins/com.ts";
import { frames, list, rowLength, type Rows } from "./common/row.ts";

/** The sums from which a centre of mass is computed. */
export const COM: Rows<"com"> = {
  com: {
    reference: com,
    parameters: (dtype) => ({
      out: {
        bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - 8 * sizes.gap),
        parts: (sizes) => ({ bytes: 24, stride: stride(sizes) }),
        values: "whole",
      },
      outStride: stride,
      ...frames(dtype),
      rowLength,
      yFirst: (sizes) => sizes.seed % 7,
      runs: list(runsOf),
      count: (sizes) => runsOf(sizes).length / 3,
    }),
  },
};

const stride = ({ gap }: Sizes) => 24 + 8 * gap;

/** Two runs per row, of all lengths, including empty ones. */
function runsOf({ rows, rowLength, seed }: Sizes): number[] {
  const yFirst = seed % 7;
  const row = (y: number) => {
    const middle = Math.floor(rowLength * ((seed + y) % 5) / 5);
    return [yFirst + y, 0, middle, yFirst + y, Math.min(rowLength, middle + seed % 2), rowLength];
  };
  return Array.from({ length: rows }, (_, y) => row(y)).flat();
}
