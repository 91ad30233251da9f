/**
 * Reference kernels that describe frames and stacks of frames.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo, isExact } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";

/** `out[f] += Σ data[f]`, floats row by row. */
export function sumPixels(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["sum_pixels"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (out, outStride, data, frames, frameStride, rows, rowLength) => {
    for (let f = 0; f < frames; f++) {
      const at = (row: number) => data + f * frameStride + row * rowLength * itemSize;
      const values = (row: number) =>
        Array.from({ length: rowLength }, (_, i) => read(at(row) + i * itemSize));
      const sums = Array.from({ length: rows }, (_, row) => rowSum(values(row)));
      const before = get(out + f * outStride);
      const whole = isExact(dtype) ? before + sums.reduce((sum, row) => sum + row, 0) : undefined;
      set(out + f * outStride, whole ?? sums.reduce((sum, row) => sum + row, before));
    }
  };
}

/** The sum in eight lanes, with value `i` in lane `i mod 8`. */
function rowSum(values: readonly number[]): number {
  const lane = [0, 0, 0, 0, 0, 0, 0, 0];
  values.forEach((value, i) => lane[i % 8]! += value);
  const pair = (i: number) => lane[i]! + lane[i + 4]!;
  return pair(0) + pair(2) + (pair(1) + pair(3));
}

/** The smallest and the largest sample; NaN is ignored. */
export function minMax(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["min_max"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (out, data, n) => {
    for (let i = 0; i < n; i++) {
      const value = read(data + i * itemSize);
      if (value < get(out)) set(out, value);
      if (value > get(out + 8)) set(out + 8, value);
    }
  };
}

/** Σx and Σx² of each pixel over frames. */
export function moments(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["moments"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (sum, squares, data, frames, frameStride, pixels) => {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const x = read(data + f * frameStride + p * itemSize);
        set(sum + 8 * p, get(sum + 8 * p) + x);
        set(squares + 8 * p, get(squares + 8 * p) + x * x);
      }
    }
  };
}

/** Mean and sum of squared deviations of each pixel, frame after frame. */
export function welford(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["welford"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (mean, m2, before, data, frames, frameStride, pixels) => {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const x = read(data + f * frameStride + p * itemSize);
        const d = x - get(mean + 8 * p);
        set(mean + 8 * p, moved(get(mean + 8 * p), d * (1 / (before + f + 1)), x));
        set(m2 + 8 * p, get(m2 + 8 * p) + d * (x - get(mean + 8 * p)));
      }
    }
  };
}

/** A mean that another value moves by this much; infinite ones stay so. */
function moved(mean: number, by: number, value: number): number {
  return Number.isNaN(mean + by) ? mean + value : mean + by;
}

/** A becomes the union of A and B. */
export function welfordMerge(memory: WebAssembly.Memory): KernelFamilies["welford_merge"] {
  const { get, set } = doubles(memory);
  return (meanA, m2A, nA, meanB, m2B, nB, pixels) => {
    if (nB === 0) return;
    for (let at = 0; at < 8 * pixels; at += 8) {
      const d = get(meanB + at) - get(meanA + at);
      const share = nB / (nA + nB);
      set(meanA + at, nA === 0 ? get(meanB + at) : moved(get(meanA + at), d * share, get(meanB + at)));
      set(m2A + at, nA === 0 ? get(m2B + at) : get(m2A + at) + get(m2B + at) + d * d * (nA * share));
    }
  };
}
