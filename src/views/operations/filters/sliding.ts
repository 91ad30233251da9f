/**
 * Windows that slide: which samples leave and enter, and when a histogram of them is faster than a selection among all.
 *
 * @module
 */

import { hasKernel } from "../../../kernels/exists.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";

/** Whether windows of such samples can slide. */
export function slides(dtype: DType): boolean {
  return hasKernel("slide_rank", dtype);
}

/** Bytes of the histogram of such samples. */
export function histogramBytes(dtype: DType): number {
  const { itemSize } = dtypeInfo(dtype);
  return 2 * (256 ** itemSize + 16 ** itemSize);
}

/** Of samples of a window, as offsets in bytes: those that the next window has not, and those that the one before has not. */
export function edgesOf(
  offsets: readonly number[],
  itemSize: number,
): { readonly leaving: readonly number[]; readonly entering: readonly number[] } {
  const all = new Set(offsets);
  return {
    leaving: offsets.filter((offset) => !all.has(offset - itemSize)),
    entering: offsets.filter((offset) => !all.has(offset + itemSize)),
  };
}

/** The size of a window, and of a line of them. */
interface SlidingSize {
  /** Samples of a window. */
  readonly count: number;
  /** Samples that leave, and that enter. */
  readonly edges: number;
  /** Windows of a line. */
  readonly n: number;
}

/**
 * Whether the histogram is faster. Measured in nanoseconds per result: selection takes a constant per sample of the window,
 * which for bytes doubles where counts do not fit into bytes; the histogram takes a constant per edge, and some for the way
 * from one result to the next.
 */
export function isSlidingFaster(dtype: DType, { count, edges, n }: SlidingSize): boolean {
  if (!slides(dtype)) return false;
  const isByte = dtypeInfo(dtype).itemSize === 1;
  const selection = count * (isByte ? count > 255 ? 0.26 : 0.12 : 0.48);
  const ends = 2 * count / n;
  return (isByte ? 8 : 60) + 2.6 * (edges + ends) < selection;
}
