/**
 * Rows of the kernels that compute sample by sample, or one sample of several.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { Sizes } from "../common/describe.ts";
import {
  blockMax,
  blockMean,
  blockMeanF64,
  blockMin,
  blockSum,
  fromF64,
  greater,
} from "../../twins/views/blocks.ts";
import { numbers, pixels, type Rows } from "../common/row.ts";

/** Thresholds, conversions, blocks of samples. */
export const BLOCKS: Rows<
  "greater" | "from_f64" | "block_min" | "block_max" | "block_sum" | "block_mean" | "block_mean_f64"
> = {
  greater: {
    reference: greater,
    parameters: (dtype) => ({
      out: numbers("uint8", pixels),
      data: numbers(dtype, pixels),
      n: pixels,
      limit: ({ seed }) => LIMITS[seed % LIMITS.length]!,
    }),
  },
  from_f64: {
    reference: fromF64,
    parameters: (dtype) => ({ out: numbers(dtype, pixels), data: numbers("float64", pixels), n: pixels }),
  },
  block_min: { reference: blockMin, parameters: (dtype) => block(dtype, dtype) },
  block_max: { reference: blockMax, parameters: (dtype) => block(dtype, dtype) },
  block_sum: { reference: blockSum, parameters: (dtype) => block(dtype, "float64") },
  block_mean: {
    reference: blockMean,
    parameters: (dtype) => ({ ...block(dtype, "float32"), rows: ({ seed }) => 1 + seed % 3 }),
  },
  block_mean_f64: {
    reference: blockMeanF64,
    parameters: (dtype) => ({ ...block(dtype, "float64"), rows: ({ seed }) => 1 + seed % 3 }),
  },
};

/** Within the range of every type, between two numbers of it, at its ends, and beyond. */
const LIMITS = [
  0,
  -0,
  1.5,
  -1,
  100,
  127,
  128,
  254.5,
  255,
  1e-50,
  -1e-50,
  16777217,
  -5e9,
  5e9,
  1 / 3,
  -Infinity,
  NaN,
];

function block(dtype: DType, result: DType) {
  return {
    out: numbers(result, (sizes: Sizes) => Math.ceil(sizes.pixels / factor(sizes))),
    data: numbers(dtype, pixels),
    n: pixels,
    factor,
  };
}

const factor = ({ seed }: Sizes) => 1 + seed % 5;
