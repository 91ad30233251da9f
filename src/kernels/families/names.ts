/**
 * The names of kernels.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";

/**
 * The exported name of a kernel, whether or not it exists: its family, its sample type, and `be` for big-endian
 * samples.
 */
export function kernelName(family: string, dtype: DType, order: ByteOrder = "little"): string {
  const { short, unitSize } = dtypeInfo(dtype);
  return `${family}_${short}${order === "big" && unitSize > 1 ? "be" : ""}`;
}
