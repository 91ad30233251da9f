/**
 * Rows of the kernels that change how samples are written.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Parameter, Sizes } from "../families/describe.ts";
import { add, convertF32, convertF64, lowerF32, swap } from "../reference/convert.ts";
import { type FamilyRow, pixels } from "./common/row.ts";

/** Byte order, conversion to floats, addition of arrays. */
export const CONVERT: {
  readonly add: FamilyRow<"add">;
  readonly swap: FamilyRow<"swap">;
  readonly convert_f32: FamilyRow<"convert_f32">;
  readonly convert_f64: FamilyRow<"convert_f64">;
  readonly lower_f32: FamilyRow<"lower_f32">;
} = {
  add: {
    reference: add,
    parameters: (dtype) => [array("dst", "inout", dtype), array("src", "in", dtype), pixels],
  },
  swap: {
    reference: swap,
    parameters: (dtype) => [array("dst", "out", dtype), array("src", "in", dtype), pixels],
  },
  convert_f32: { reference: convertF32, parameters: convertTo("float32") },
  convert_f64: { reference: convertF64, parameters: convertTo("float64") },
  lower_f32: {
    reference: lowerF32,
    parameters: (dtype, order) => [...convertTo("float32")(dtype, order), ({ seed }) => 2 ** 31 - seed % 5],
  },
};

function convertTo(to: DType) {
  return (dtype: DType, order: ByteOrder): Parameter[] => [
    array("dst", "out", to),
    array("src", "in", dtype, order),
    pixels,
  ];
}

function array(
  name: string,
  role: "in" | "out" | "inout",
  dtype: DType,
  order: ByteOrder = "little",
): Parameter {
  const bytes = (sizes: Sizes) => sizes.pixels * dtypeInfo(dtype).itemSize;
  return { name, role, dtype, order, bytes, values: "any" };
}
