/**
 * Finds kernels by family, sample type and byte order.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type ByteOrder, type DType, dtypeInfo, DTYPES } from "../space/dtype.ts";
import type { Kernels } from "./bind.ts";
import type { KernelFamilies, KernelFamily } from "./families/families.ts";

/**
 * The exported name of a kernel, whether or not it exists: its family, its sample type, and `be` for big-endian
 * samples.
 */
export function kernelName(family: string, dtype: DType, order: ByteOrder = "little"): string {
  const { short, unitSize } = dtypeInfo(dtype);
  return `${family}_${short}${order === "big" && unitSize > 1 ? "be" : ""}`;
}

/**
 * The kernel of a family for a sample type and byte order (which is ignored for samples of one byte).
 *
 * @example
 * ```ts
 * import { instantiateKernels, kernel, loadKernels } from "@tilewise/tilewise/unstable/kernels";
 * import { assertThrows } from "@std/assert";
 * await loadKernels(["core"]);
 * const kernels = instantiateKernels(new WebAssembly.Memory({ initial: 1 }));
 * const sum = kernel(kernels, "sum_frames", "uint16", "big");
 * sum(1024, 2048, 2, 6, 3);
 * assertThrows(() => kernel(kernels, "sum_frames", "complex64"), Error, "exists for uint8, int8");
 * ```
 * @category Kernels
 */
export function kernel<F extends KernelFamily>(
  kernels: Kernels,
  family: F,
  dtype: DType,
  order: ByteOrder = "little",
): KernelFamilies[F] {
  const name = kernelName(family, dtype, order);
  // The names of kernels are computed here, so the compiler does not know their types.
  const found = (kernels.exports as unknown as Record<string, KernelFamilies[F] | undefined>)[name];
  if (!found) throw missing(kernels, family, dtype, order);
  return found;
}

/** The error for samples that a family does not take; its pack has been bound, as the kernel was looked up. */
function missing(kernels: Kernels, family: KernelFamily, dtype: DType, order: ByteOrder): TilewiseError {
  const has = (type: DType, order: ByteOrder) => kernelName(family, type, order) in kernels.exports;
  const types = DTYPES.filter((type) => type !== "bool" && has(type, "little"));
  const swaps = types.some((type) => dtypeInfo(type).unitSize > 1 && has(type, "big"));
  const known = `exists for ${types.join(", ")}${swaps ? " in both byte orders" : ", little endian"}`;
  const asked = order === "big" ? `big-endian ${dtype}` : dtype;
  return new TilewiseError("unsupported", `No kernel ${family} for ${asked}; it ${known}`, { found: dtype });
}
