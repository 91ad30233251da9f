/**
 * Rows of the kernels over runs of pixels.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import { deviation, magnitudes } from "../reference/runs.ts";
import { type FamilyRow, frames } from "./common/row.ts";

/** Standard deviations of samples, and sums of magnitudes. */
export const RUNS: {
  readonly deviation: FamilyRow<"deviation">;
  readonly magnitudes: FamilyRow<"magnitudes">;
} = {
  deviation: {
    reference: deviation,
    parameters: (dtype, order) => [
      {
        name: "out",
        role: "out",
        dtype: "float64",
        bytes: (sizes) => Math.max(0, sizes.frames * stride(sizes) - 8 * sizes.gap),
        parts: (sizes) => ({ bytes: 8, stride: stride(sizes) }),
        values: "whole",
      },
      stride,
      ...frames(dtype, order),
      ({ rowLength }) => rowLength,
      ...runs(),
    ],
  },
  magnitudes: {
    reference: magnitudes,
    parameters: (dtype) => [
      { name: "out", role: "out", dtype: "float64", bytes: () => 8, values: "whole" },
      {
        name: "data",
        role: "in",
        dtype,
        bytes: ({ pixels }) => 2 * pixels * dtypeInfo(dtype).itemSize,
        values: ({ pixels, seed }) =>
          Array.from(
            { length: 2 * pixels },
            (_, i) => seed % 7 === 0 && i % 53 === 0 ? NaN : Math.sin(i + seed) * i,
          ),
      },
      ({ rowLength }) => rowLength,
      ...runs(),
    ],
  },
};

const stride = ({ gap }: Sizes) => 8 + 8 * gap;

function runs(): Parameter[] {
  return [
    {
      name: "runs",
      role: "in",
      dtype: "int32",
      bytes: (sizes) => 4 * runsOf(sizes).length,
      values: runsOf,
    },
    (sizes) => runsOf(sizes).length / 3,
  ];
}

/** Two runs a row, of all lengths, maybe empty. */
function runsOf({ rows, rowLength, seed }: Sizes): number[] {
  const row = (y: number) => {
    const middle = Math.floor(rowLength * ((seed + y) % 5) / 5);
    return [y, 0, middle, y, Math.min(rowLength, middle + seed % 2), rowLength];
  };
  return Array.from({ length: rows }, (_, y) => row(y)).flat();
}
