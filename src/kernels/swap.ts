/**
 * Samples in the byte order of memory.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../space/dtype.ts";
import type { Kernels } from "./bind.ts";

/** Swaps samples that are big endian, where they lie. */
export function swapSamples(
  { exports: { swap_u16, swap_u32, swap_u64 } }: Kernels,
  { byteOrder, dtype }: { readonly byteOrder: ByteOrder; readonly dtype: DType },
  pointer: number,
  samples: number,
): void {
  const { unitSize, itemSize } = dtypeInfo(dtype);
  if (byteOrder === "little" || unitSize === 1) return;
  const swap = unitSize === 2 ? swap_u16 : unitSize === 4 ? swap_u32 : swap_u64;
  swap(pointer, pointer, samples * itemSize / unitSize);
}
