/**
 * Complex samples as they are stored in memory: pairs of floats.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";

/** Whether samples are pairs. */
export function isComplex(dtype: DType): boolean {
  return dtypeInfo(dtype).kind === "c";
}

/** The type of the numbers of which samples consist, and how many of them make one sample. */
export function unitsOfSamples(dtype: DType): { readonly dtype: DType; readonly units: 1 | 2 } {
  if (!isComplex(dtype)) return { dtype, units: 1 };
  return { dtype: dtype === "complex64" ? "float32" : "float64", units: 2 };
}
