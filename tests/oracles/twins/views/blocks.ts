/**
 * Reference kernels that compute sample by sample, or one sample of several.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";

/** `out[i] = data[i] > limit ? 1 : 0`. */
export function greater(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["greater"] {
  const [read, write] = [reader(memory, dtype, order), writer(memory, "uint8")];
  const { itemSize } = dtypeInfo(dtype);
  return (out, data, n, limit) => {
    for (let i = 0; i < n; i++) write(out + i, read(data + i * itemSize) > limit ? 1 : 0);
  };
}

/** `out[i] = data[i]`, rounded to the nearest sample of the type. */
export function fromF64(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["from_f64"] {
  const [read, write] = [reader(memory, "float64"), writer(memory, dtype)];
  const { itemSize, kind } = dtypeInfo(dtype);
  const bits = 8 * itemSize;
  const least = kind === "i" ? -(2 ** (bits - 1)) : 0;
  const most = kind === "i" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const whole = (value: number) =>
    Number.isNaN(value) ? 0 : Math.max(least, Math.min(most, nearestEven(value)));
  return (out, data, n) => {
    for (let i = 0; i < n; i++) {
      const value = read(data + 8 * i);
      write(out + i * itemSize, kind === "f" ? value : whole(value));
    }
  };
}

function nearestEven(value: number): number {
  const down = Math.floor(value);
  if (value - down !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}

type BlockKernel = KernelFamilies["block_min"];

/** `out[i] = min of data[i · factor …]`. */
export function blockMin(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): BlockKernel {
  return blocks(memory, dtype, order, dtype, (samples) => Math.min(...samples));
}

/** `out[i] = max of data[i · factor …]`. */
export function blockMax(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): BlockKernel {
  return blocks(memory, dtype, order, dtype, (samples) => Math.max(...samples));
}

/** `out[i] = sum of data[i · factor …]`. */
export function blockSum(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["block_sum"] {
  return blocks(memory, dtype, order, "float64", sumOf);
}

/** `out[i] = sum of data[i · factor …] / (rows · how many there are)`. */
export function blockMean(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["block_mean"] {
  return meansAs("float32", memory, dtype, order);
}

/** The same, f64. */
export function blockMeanF64(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["block_mean_f64"] {
  return meansAs("float64", memory, dtype, order);
}

function meansAs(
  result: DType,
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["block_mean"] {
  return (out, data, n, factor, rows) => {
    const mean = (samples: readonly number[]) => sumOf(samples) / (samples.length * rows);
    blocks(memory, dtype, order, result, mean)(out, data, n, factor);
  };
}

function sumOf(samples: readonly number[]): number {
  return samples.reduce((sum, value) => sum + value, 0);
}

function blocks(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  result: DType,
  value: (samples: readonly number[]) => number,
): BlockKernel {
  const [read, write] = [reader(memory, dtype, order), writer(memory, result)];
  const [from, to] = [dtypeInfo(dtype).itemSize, dtypeInfo(result).itemSize];
  return (out, data, n, factor) => {
    for (let i = 0; i * factor < n; i++) {
      const count = Math.min(factor, n - i * factor);
      const samples = Array.from({ length: count }, (_, k) => read(data + (i * factor + k) * from));
      write(out + i * to, value(samples));
    }
  };
}
