/**
 * Rows of the kernels that convert samples.
 *
 * @module
 */

import type { DType } from "../../../src/space/dtype.ts";
import { add, convertF32, convertF64, lowerF32, swap } from "../twins/convert.ts";
import { numbers, pixels, type Rows } from "./common/row.ts";

/** Byte order, conversion to floats, addition of arrays. */
export const CONVERT: Rows<"add" | "swap" | "convert_f32" | "convert_f64" | "lower_f32"> = {
  add: { reference: add, parameters: (dtype) => moved(dtype, dtype) },
  swap: { reference: swap, parameters: (dtype) => moved(dtype, dtype) },
  convert_f32: { reference: convertF32, parameters: (dtype) => moved(dtype, "float32") },
  convert_f64: { reference: convertF64, parameters: (dtype) => moved(dtype, "float64") },
  lower_f32: {
    reference: lowerF32,
    parameters: (dtype) => ({ ...moved(dtype, "float32"), least: ({ seed }) => 2 ** 31 - seed % 5 }),
  },
};

function moved(from: DType, to: DType) {
  return { dst: numbers(to, pixels), src: numbers(from, pixels), n: pixels };
}
