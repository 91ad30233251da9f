/**
 * Counting samples in bins, as an operation over views: the partial result of a tile are its counts.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { hasKernel } from "../../kernels/exists.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Places } from "../../memory/places.ts";
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
  readonly scratch: Places;
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
  calls: ["count_values", "count_bins"],
  usualRadius: 0,
  radius: () => 0,
  result: (): DType => "uint32",
  values: () => "unknown" as const,
  partial: ({ params }: { readonly params: object }) => (params as BinParams).edges.length - 1,
  scratch: ({ params }: Pick<Setting, "params">): Record<string, number> => ({
    edges: 8 * (params as BinParams).edges.length,
  }),
  start(setting: Setting) {
    const { kernels } = setting;
    const { edges } = setting.params as BinParams;
    const count = counterOf(setting);
    return ({ pointer, shape, strides }: Placed, out: Placed) => {
      new Uint32Array(kernels.memory.buffer, out.pointer, edges.length - 1).fill(0);
      const walk = (d: number, at: number): void => {
        if (d === shape.length - 1) count(out.pointer, at, shape[d]!);
        else for (let i = 0; i < shape[d]!; i++) walk(d + 1, at + i * strides[d]!);
      };
      walk(0, pointer);
    };
  },
} as const;

/** Adds the samples of a line to counts; both are addresses. */
type CountLine = (counts: number, data: number, length: number) => void;

/** Kernels count samples of up to 32 bits, and floats of 64. */
function counterOf(setting: Setting): CountLine {
  const { params, dtype, kernels, scratch } = setting;
  const { edges, exact } = params as BinParams;
  const bins = edges.length - 1;
  if (exact && hasKernel("count_values", dtype) && Number.isSafeInteger(edges[0])) {
    const count = kernel(kernels, "count_values", dtype);
    return (counts, data, length) => count(counts, bins, edges[0]!, data, length);
  }
  if (!exact && hasKernel("count_bins", dtype)) {
    const count = kernel(kernels, "count_bins", dtype);
    const place = scratch.at("edges");
    new Float64Array(kernels.memory.buffer, place, edges.length).set(edges);
    return (counts, data, length) => count(counts, bins, place, data, length);
  }
  return plainCounter(setting);
}

function plainCounter({ params, dtype, kernels: { memory: { buffer } } }: Setting): CountLine {
  const { edges, exact } = params as BinParams;
  const { itemSize } = dtypeInfo(dtype);
  const all = typedArray(dtype, buffer, 0, Math.floor(buffer.byteLength / itemSize));
  return (counts, data, length) => {
    const list = new Uint32Array(buffer, counts, edges.length - 1);
    if (exact) countWhole(list, all, data / itemSize, length, edges[0]!);
    else countBetween(list, all, data / itemSize, length, edges);
  };
}

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
