/**
 * Rows of the kernels over runs of pixels.
 *
 * @module
 */

import type { Sizes } from "./common/describe.ts";
import { deviation, magnitudes } from "../twins/runs.ts";
import { frames, list, numbers, rowLength, type Rows } from "./common/row.ts";

/** Standard deviations of samples, and sums of magnitudes. */
export const RUNS: Rows<"deviation" | "magnitudes"> = {
  deviation: {
    reference: deviation,
    parameters: (dtype) => ({
      out: {
        bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - 8 * sizes.gap),
        parts: (sizes) => ({ bytes: 8, stride: stride(sizes) }),
        values: "whole",
      },
      outStride: stride,
      ...frames(dtype),
      rowLength,
      runs: list(runsOf),
      count,
    }),
  },
  magnitudes: {
    reference: magnitudes,
    parameters: (dtype) => ({
      out: numbers("float64", () => 1, "whole"),
      data: numbers(dtype, ({ pixels }) => 2 * pixels, pairs),
      rowLength,
      runs: list(runsOf),
      count,
    }),
  },
};

const stride = ({ gap }: Sizes) => 8 + 8 * gap;
const count = (sizes: Sizes) => runsOf(sizes).length / 3;

function pairs({ pixels, seed }: Sizes): number[] {
  const length = 2 * pixels;
  return Array.from({ length }, (_, i) => seed % 7 === 0 && i % 53 === 0 ? NaN : Math.sin(i + seed) * i);
}

/** Two runs per row, of all lengths, including empty ones. */
function runsOf({ rows, rowLength, seed }: Sizes): number[] {
  const row = (y: number) => {
    const middle = Math.floor(rowLength * ((seed + y) % 5) / 5);
    return [y, 0, middle, y, Math.min(rowLength, middle + seed % 2), rowLength];
  };
  return Array.from({ length: rows }, (_, y) => row(y)).flat();
}
