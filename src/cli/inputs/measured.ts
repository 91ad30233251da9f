/**
 * Sums and extremes of integers in the memory of kernels.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import { type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";

/** Samples whose sum of 32-bit parts stays below 2^53. */
export const EXACT: number = 1 << 21;

/** What kernels have found of a block of integers. */
export interface Measured {
  /** The exact sum. */
  readonly sum: number;
  /** The least sample. */
  readonly min: number;
  /** The greatest. */
  readonly max: number;
}

/** Bytes that {@link measurer} needs. */
export const MEASURE_BYTES = 24;

/** The packs of kernels of {@link measurer}. */
export const MEASURE_PACKS: readonly Pack[] = ["core", "conversions", "windows"];

/**
 * A function that measures samples of `dtype` in parts, each with an exact sum; they lie in the memory of `kernels`, where it
 * has {@link MEASURE_BYTES} bytes at `scratch`. Absent for samples whose sums may be inexact.
 */
export function measurer(
  kernels: Kernels,
  dtype: DType,
  scratch: number,
): ((samples: TypedArray) => readonly Measured[]) | undefined {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (!"uib".includes(kind) || itemSize > 4) return undefined;
  const [add, extremes] = [kernel(kernels, "sum_pixels", dtype), kernel(kernels, "min_max", dtype)];
  const found = new Float64Array(kernels.memory.buffer, scratch, 3);
  return ({ byteOffset, length }) => {
    const parts: Measured[] = [];
    for (let at = 0; at < length; at += EXACT) {
      const [n, from] = [Math.min(EXACT, length - at), byteOffset + at * itemSize];
      found.set([0, Infinity, -Infinity]);
      add(scratch, 8, from, 1, n * itemSize, 1, n);
      extremes(scratch + 8, from, n);
      parts.push({ sum: found[0]!, min: found[1]!, max: found[2]! });
    }
    return parts;
  };
}
