/**
 * Reference kernels of deviations of weighted sums from samples.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Read, reader } from "../../../../src/memory/sample_reader.ts";
import { doubles, writer } from "../samples.ts";

/** `out[y][x]` is what stands one step behind, less what stands at `y`, `x`: `each · data[y][x] + rests[y][x]`. */
export function restSteps(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rest_steps"] {
  const [read, { get, set }, { itemSize }] = [reader(memory, dtype), doubles(memory), dtypeInfo(dtype)];
  return (out, data, rowStride, step, rests, restStride, restStep, rows, n, each) => {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < n; x++) {
        const [from, rest] = [data + y * rowStride + itemSize * x, y * restStride + 8 * x];
        const near = get(rests + rest + restStep) - get(rests + rest);
        set(out + rest, near + each * (read(from + step) - read(from)));
      }
    }
  };
}

/** `Σ w[k] (d(2 half - 1 - k) - d(k))` */
function weighed(get: Read, weights: number, half: number, first: number, d: (k: number) => number): number {
  let sum = first;
  for (let k = 0; k < half; k++) sum += get(weights + 8 * k) * (d(2 * half - 1 - k) - d(k));
  return sum;
}

/** `out[y][x] = Σ w[k] (d[2 half - 1 - k] - d[k])`, with `d[k] = data[y][x + k + 1 steps] - data[y][x + k steps]`. */
export function deviations(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["deviations"] {
  const [read, { get, set }, { itemSize }] = [reader(memory, dtype), doubles(memory), dtypeInfo(dtype)];
  return (out, outStride, data, stride, rows, n, step, weights, half) => {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < n; x++) {
        const at = (k: number) => read(data + y * stride + itemSize * x + k * step);
        set(out + y * outStride + 8 * x, weighed(get, weights, half, 0, (k) => at(k + 1) - at(k)));
      }
    }
  };
}

/** `out[y][x] = scale rests[y][x] + Σ w[k] (d[2 half - 1 - k] - d[k])`, with `d[k] = deltas[y][x + k steps]`. */
export function joinDeviations(memory: WebAssembly.Memory): KernelFamilies["join_deviations"] {
  const { get, set } = doubles(memory);
  return (out, outStride, rests, restStride, deltas, stride, rows, n, step, weights, half, scale) => {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < n; x++) {
        const at = (k: number) => get(deltas + y * stride + 8 * x + k * step);
        const first = scale * get(rests + y * restStride + 8 * x);
        set(out + y * outStride + 8 * x, weighed(get, weights, half, first, at));
      }
    }
  };
}

/** `out[y][x] = data[y][x] < limit` */
export function below(memory: WebAssembly.Memory): KernelFamilies["below"] {
  const [{ get }, write] = [doubles(memory), writer(memory, "bool")];
  return (out, outStride, data, rowStride, rows, n, limit) => {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < n; x++) {
        write(out + y * outStride + x, get(data + y * rowStride + 8 * x) < limit ? 1 : 0);
      }
    }
  };
}
