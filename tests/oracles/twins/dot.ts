/**
 * Reference kernels of mask products.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles } from "./samples.ts";

/** Samples of a row that are added in lanes before the lanes are added to one sum. */
const PIECE = 1024;

/** `out[f][m] += Σ data · masks`, masks of i16, exact. */
export function dotI16(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["dot_i16"] {
  const dot = products(memory, dtype, order, "int16", (a, b, n) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += a(i) * b(i);
    return sum;
  });
  return (out, outStride, data, frames, frameStride, masks, maskCount, maskStride, rows, rowLength, _flush) =>
    dot(out, outStride, data, frames, frameStride, masks, maskCount, maskStride, rows, rowLength);
}

/** `out[f][m] += Σ data · masks`, masks of f32; pieces of rows in four lanes of f32, padded with zeros. */
export function dotF32(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["dot_f32"] {
  const round = Math.fround;
  return products(memory, dtype, order, "float32", (a, b, n) => {
    const lane = [0, 0, 0, 0];
    for (let i = 0; i < Math.ceil(n / 4) * 4; i++) {
      const product = i < n ? round(round(a(i)) * b(i)) : 0;
      lane[i % 4] = round(lane[i % 4]! + product);
    }
    return lane[0]! + lane[2]! + (lane[1]! + lane[3]!);
  }, PIECE);
}

/** `out[f][m] += Σ data · masks`, masks of f64; pieces of rows in two lanes. */
export function dotF64(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["dot_f64"] {
  return products(memory, dtype, order, "float64", (a, b, n) => {
    const lane = [0, 0];
    for (let i = 0; i < n; i++) lane[i % 2]! += a(i) * b(i);
    return lane[0]! + lane[1]!;
  }, PIECE);
}

type Values = (i: number) => number;

/** Mask products whose rows, or pieces of rows, are summed by `rowDot`. */
function products(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  weightType: DType,
  rowDot: (a: Values, b: Values, n: number) => number,
  piece = Infinity,
): KernelFamilies["dot_f32"] {
  const read = reader(memory, dtype, order);
  const weight = reader(memory, weightType);
  const { get, set } = doubles(memory);
  const [size, weightSize] = [dtypeInfo(dtype).itemSize, dtypeInfo(weightType).itemSize];
  return (out, outStride, data, frames, frameStride, masks, maskCount, maskStride, rows, rowLength) => {
    for (let f = 0; f < frames; f++) {
      for (let m = 0; m < maskCount; m++) {
        let sum = get(out + f * outStride + 8 * m);
        for (let row = 0; row < rows; row++) {
          for (let from = 0; from < rowLength; from += piece) {
            const first = row * rowLength + from;
            const a = (i: number) => read(data + f * frameStride + (first + i) * size);
            const b = (i: number) => weight(masks + m * maskStride + (first + i) * weightSize);
            sum += rowDot(a, b, Math.min(piece, rowLength - from));
          }
        }
        set(out + f * outStride + 8 * m, sum);
      }
    }
  };
}
