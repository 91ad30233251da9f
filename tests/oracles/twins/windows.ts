/**
 * Reference kernels of the smallest and the largest samples of windows.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { writer } from "./samples.ts";

type WindowKernel = KernelFamilies["window_min"];

/** `out[i] = min of data[i + k · step]` over `k < count`. */
export function windowMin(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): WindowKernel {
  return extreme(memory, dtype, order, Math.min);
}

/** `out[i] = max of data[i + k · step]` over `k < count`. */
export function windowMax(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): WindowKernel {
  return extreme(memory, dtype, order, Math.max);
}

function extreme(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  best: (a: number, b: number) => number,
): WindowKernel {
  const [read, write] = [reader(memory, dtype, order), writer(memory, dtype)];
  const { itemSize } = dtypeInfo(dtype);
  return (out, data, n, step, count) => {
    for (let i = 0; i < n; i++) {
      let found = read(data + i * itemSize);
      for (let k = 1; k < count; k++) found = best(found, read(data + i * itemSize + k * step));
      write(out + i * itemSize, found);
    }
  };
}
