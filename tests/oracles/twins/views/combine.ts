/**
 * Reference kernels of what is made of weighted sums.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { doubles, writer } from "../samples.ts";

/** `out[i] = √(Σ data[i + k step]²)` */
export function rootOfSquares(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["root_of_squares"] {
  const [read, write] = [reader(memory, dtype), writer(memory, dtype)];
  const { itemSize } = dtypeInfo(dtype);
  const round = dtype === "float32" ? Math.fround : (value: number) => value;
  return (out, data, n, step, count) => {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < count; k++) {
        const value = read(data + i * itemSize + k * step);
        sum = round(sum + round(value * value));
      }
      write(out + i * itemSize, Math.sqrt(sum));
    }
  };
}

/** `out[i] = data[i]²` */
export function squareF64(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["square_f64"] {
  const [read, { set }, { itemSize }] = [reader(memory, dtype, order), doubles(memory), dtypeInfo(dtype)];
  return (out, data, n) => {
    for (let i = 0; i < n; i++) set(out + 8 * i, read(data + i * itemSize) ** 2);
  };
}

/** `out[i] = max(0, count squares[i] - sums[i]²) / count²`, or its root */
export function variance(memory: WebAssembly.Memory): KernelFamilies["variance"] {
  const { get, set } = doubles(memory);
  return (out, sums, squares, n, count, root) => {
    for (let i = 0; i < n; i++) {
      const sum = get(sums + 8 * i);
      const value = Math.max(count * get(squares + 8 * i) - sum * sum, 0) / (count * count);
      set(out + 8 * i, root ? Math.sqrt(value) : value);
    }
  };
}

/** `out[i] = from[i] - data[i]` */
export function subtract(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["subtract"] {
  const [read, write, { itemSize }] = [reader(memory, dtype, order), writer(memory, dtype), dtypeInfo(dtype)];
  return (out, from, data, n) => {
    for (let i = 0; i < n; i++) {
      write(out + i * itemSize, read(from + i * itemSize) - read(data + i * itemSize));
    }
  };
}

/** `out[i] = data[i] > level[i] / count - offset` */
export function above(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): KernelFamilies["above"] {
  const [read, write, { get }] = [reader(memory, dtype, order), writer(memory, "bool"), doubles(memory)];
  const { itemSize } = dtypeInfo(dtype);
  return (out, data, level, n, count, offset) => {
    for (let i = 0; i < n; i++) {
      write(out + i, read(data + i * itemSize) > get(level + 8 * i) / count - offset ? 1 : 0);
    }
  };
}

/** `out[i] = data[i]` as an integer of the type; data: f32 */
export function roundF32(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["round_f32"] {
  return round(memory, dtype, "float32");
}

/** `out[i] = data[i]` as an integer of the type; data: f64 */
export function roundF64(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["round_f64"] {
  return round(memory, dtype, "float64");
}

function round(memory: WebAssembly.Memory, dtype: DType, float: DType): KernelFamilies["round_f32"] {
  const [read, write] = [reader(memory, float), writer(memory, dtype)];
  const { itemSize, kind } = dtypeInfo(dtype);
  const least = kind === "i" ? -(2 ** (8 * itemSize - 1)) : 0;
  const most = least + 2 ** (8 * itemSize) - 1;
  return (out, data, n) => {
    for (let i = 0; i < n; i++) {
      const value = read(data + i * dtypeInfo(float).itemSize);
      const limited = Math.min(Math.max(halfToEven(value), least), most);
      write(out + i * itemSize, Number.isNaN(value) ? 0 : limited);
    }
  };
}

function halfToEven(value: number): number {
  const below = Math.floor(value);
  const part = value - below;
  if (part !== 0.5) return part < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}
