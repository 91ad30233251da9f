/**
 * Whether there is a kernel for samples: for code that has another way where there is none.
 *
 * @module
 */

import type { DType } from "../space/dtype.ts";
import type { KernelFamily } from "./families/families.ts";
import { SAMPLE_TYPES } from "./families/kernels_sample_types.ts";

/** Whether `kernel()` finds a kernel, in a pack that is loaded. */
export function hasKernel(family: KernelFamily, dtype: DType): boolean {
  return SAMPLE_TYPES[family].types.includes(dtype === "bool" ? "uint8" : dtype);
}
