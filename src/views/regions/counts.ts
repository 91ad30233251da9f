/**
 * Counting samples in bins, as an operation over views: the partial result of a tile are its counts.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/** The bins. */
export interface BinParams {
  /** Where bins begin, ascending, and where the last one ends. */
  readonly edges: Float64Array;
  /** Whether there is one bin per whole number. */
  readonly exact: boolean;
}

/** What the operation gets when it starts on a worker. */
interface Setting {
  readonly params: object;
  readonly dtype: DType;
  readonly kernels: Kernels;
}

/** Samples in the memory of the kernels. */
interface Placed {
  readonly pointer: number;
  readonly shape: Shape;
  readonly strides: Shape;
}

/** Counts of samples per bin; `params` are {@link BinParams}. */
export const COUNT_BINS = {
  name: "countBins",
  params: { edges: true, exact: true },
  kernels: [],
  usualRadius: 0,
  radius: () => 0,
  result: (): DType => "uint32",
  partial: ({ params }: { readonly params: object }) => (params as BinParams).edges.length - 1,
  scratch: () => ({}),
  start({ params, dtype, kernels: { memory } }: Setting) {
    const { edges, exact } = params as BinParams;
    const { itemSize } = dtypeInfo(dtype);
    const data = typedArray(dtype, memory.buffer, 0, Math.floor(memory.buffer.byteLength / itemSize));
    return ({ pointer, shape, strides }: Placed, out: Placed) => {
      const counts = new Uint32Array(memory.buffer, out.pointer, edges.length - 1).fill(0);
      const walk = (d: number, at: number): void => {
        if (d === shape.length - 1) {
          if (exact) countWhole(counts, data, at / itemSize, shape[d]!, edges[0]!);
          else countBetween(counts, data, at / itemSize, shape[d]!, edges);
        } else for (let i = 0; i < shape[d]!; i++) walk(d + 1, at + i * strides[d]!);
      };
      walk(0, pointer);
    };
  },
} as const;

/** Counts whole numbers from `least` on; others are left out. */
function countWhole(
  counts: Uint32Array,
  data: ArrayLike<number | bigint>,
  at: number,
  length: number,
  least: number,
): void {
  for (let i = at; i < at + length; i++) {
    const bin = Number(data[i]!) - least;
    if (bin >= 0 && bin < counts.length) counts[bin]!++;
  }
}

/** Counts numbers between edges, as `numpy.histogram` does: the last bin has its end. */
function countBetween(
  counts: Uint32Array,
  data: ArrayLike<number | bigint>,
  at: number,
  length: number,
  edges: Float64Array,
): void {
  const bins = counts.length;
  const [first, last] = [edges[0]!, edges[bins]!];
  const perBin = bins / (last - first);
  for (let i = at; i < at + length; i++) {
    const value = Number(data[i]!);
    if (!(value >= first && value <= last)) continue; // NaN as well
    let bin = Math.min(bins - 1, Math.floor((value - first) * perBin));
    if (value < edges[bin]!) bin--; // rounding; edges decide
    else if (bin < bins - 1 && value >= edges[bin + 1]!) bin++;
    counts[bin]!++;
  }
}
