/**
 * Reference kernels of sums over sparse tiles, and of products with sparse masks.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo, isExact } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";
import { ints } from "./sparse.ts";

/** An entry of a frame. */
interface Entry {
  readonly pixel: number;
  readonly value: number;
}

/** The entries of a frame. */
function entriesOf(memory: WebAssembly.Memory, dtype: DType) {
  const read = reader(memory, dtype);
  const { get } = ints(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (indptr: number, indices: number, data: number, f: number): Entry[] => {
    const [from, to] = [get(indptr, f), get(indptr, f + 1)];
    return Array.from({ length: to - from }, (_, i) => ({
      pixel: get(indices, from + i),
      value: read(data + (from + i) * itemSize),
    }));
  };
}

/** `acc[p] += v`, frame after frame. */
export function csrSumFrames(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_sum_frames"] {
  const entries = entriesOf(memory, dtype);
  const { get, set } = doubles(memory);
  return (acc, indptr, indices, data, frames) => {
    for (let f = 0; f < frames; f++) {
      for (const { pixel, value } of entries(indptr, indices, data, f)) {
        set(acc + 8 * pixel, get(acc + 8 * pixel) + value);
      }
    }
  };
}

/** `out[f] += Σ v`: integers directly, floats (and 64-bit integers) in eight lanes per row. */
export function csrSumPixels(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_sum_pixels"] {
  const entries = entriesOf(memory, dtype);
  const { get, set } = doubles(memory);
  const whole = isExact(dtype) && dtypeInfo(dtype).itemSize <= 4;
  return (out, outStride, indptr, indices, data, frames, rowLength, lanes) => {
    for (let f = 0; f < frames; f++) {
      const all = entries(indptr, indices, data, f);
      const groups = whole ? [all] : pieces(all, rowLength, Infinity);
      let sum = get(out + f * outStride);
      for (const group of groups) {
        const lane = [0, 0, 0, 0, 0, 0, 0, 0];
        for (const { pixel, value } of group) lane[pixel % rowLength % 8]! += value;
        const pair = (i: number) => lane[i]! + lane[i + 4]!;
        sum += pair(0) + pair(2) + (pair(1) + pair(3));
        if (!whole) lane.forEach((value, i) => set(lanes + 8 * i, value));
      }
      set(out + f * outStride, sum);
    }
  };
}

/** Products with masks of i16, exact. */
export function csrDotI16(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_dot_i16"] {
  const dot = products(
    memory,
    dtype,
    "int16",
    (values) => values.reduce((sum, [, v, w]) => sum + v * w, 0),
    Infinity,
  );
  return (out, outStride, indptr, indices, data, frames, masks, maskCount, maskStride) =>
    dot(out, outStride, indptr, indices, data, frames, masks, maskCount, maskStride, 2 ** 31 - 1);
}

/** Products with masks of f32: pieces of rows in four lanes of f32. */
export function csrDotF32(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_dot_f32"] {
  const round = Math.fround;
  return products(memory, dtype, "float32", (values) => {
    const lane = [0, 0, 0, 0];
    for (const [x, v, w] of values) lane[x % 4] = round(lane[x % 4]! + round(round(v) * w));
    return lane[0]! + lane[2]! + (lane[1]! + lane[3]!);
  });
}

/** Products with masks of f64: pieces of rows in two lanes. */
export function csrDotF64(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_dot_f64"] {
  return products(memory, dtype, "float64", (values) => {
    const lane = [0, 0];
    for (const [x, v, w] of values) lane[x % 2]! += v * w;
    return lane[0]! + lane[1]!;
  });
}

/** Products with masks of f64, one entry after another. */
export function csrDotSeq(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_dot_seq"] {
  const entries = entriesOf(memory, dtype);
  const { get, set } = doubles(memory);
  return (out, outStride, indptr, indices, data, frames, masks, maskCount, maskStride) => {
    for (let f = 0; f < frames; f++) {
      for (let m = 0; m < maskCount; m++) {
        const at = out + f * outStride + 8 * m;
        for (const { pixel, value } of entries(indptr, indices, data, f)) {
          const weight = get(masks + m * maskStride + 8 * pixel);
          if (weight !== 0) set(at, get(at) + value * weight);
        }
      }
    }
  };
}

/** Samples of a row that are added before their sum is added in f64. */
const PIECE = 1024;

/**
 * Mask products whose pieces of rows are summed by `sum`, which gets the place in the row, the sample and the weight of
 * each entry.
 */
function products(
  memory: WebAssembly.Memory,
  dtype: DType,
  weightType: DType,
  sum: (values: readonly [x: number, value: number, weight: number][]) => number,
  piece = PIECE,
): KernelFamilies["csr_dot_f32"] {
  const entries = entriesOf(memory, dtype);
  const weight = reader(memory, weightType);
  const { get, set } = doubles(memory);
  const size = dtypeInfo(weightType).itemSize;
  return (out, outStride, indptr, indices, data, frames, masks, maskCount, maskStride, rowLength) => {
    for (let f = 0; f < frames; f++) {
      const groups = pieces(entries(indptr, indices, data, f), rowLength, piece);
      for (let m = 0; m < maskCount; m++) {
        const at = out + f * outStride + 8 * m;
        for (const group of groups) {
          const values = group.map(({ pixel, value }) =>
            [pixel % rowLength, value, weight(masks + m * maskStride + pixel * size)] as [
              number,
              number,
              number,
            ]
          );
          set(at, get(at) + sum(values.filter(([, , weight]) => weight !== 0)));
        }
      }
    }
  };
}

/** The entries grouped by row, and within a row by every `piece` samples. */
function pieces(entries: readonly Entry[], rowLength: number, piece: number): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${Math.floor(entry.pixel / rowLength)} ${Math.floor(entry.pixel % rowLength / piece)}`;
    groups.set(key, [...groups.get(key) ?? [], entry]);
  }
  return [...groups.values()];
}

/** Products with sparse masks, one entry after another. */
export function dotSparse(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["dot_sparse"] {
  const read = reader(memory, dtype, order);
  const { get, set } = doubles(memory);
  const int = ints(memory).get;
  const { itemSize } = dtypeInfo(dtype);
  return (out, outStride, data, frames, frameStride, first, ranges, indices, weights, maskCount) => {
    for (let f = 0; f < frames; f++) {
      for (let m = 0; m < maskCount; m++) {
        let sum = get(out + f * outStride + 8 * m);
        for (let e = int(ranges, 2 * m); e < int(ranges, 2 * m + 1); e++) {
          sum += read(data + f * frameStride + (int(indices, e) - first) * itemSize) * get(weights + 8 * e);
        }
        set(out + f * outStride + 8 * m, sum);
      }
    }
  };
}
