/**
 * Reference kernels that correct samples: dark frame, gain, dead pixels.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";

/** `dst[f][p] = (x[f][p] − dark[p]) · gain[p]` in f32: two roundings, after the conversion to f32. */
export function correctF32(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["correct_f32"] {
  return correct(memory, dtype, order, "float32");
}

/** `dst[f][p] = (x[f][p] − dark[p]) · gain[p]` in f64. */
export function correctF64(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["correct_f64"] {
  return correct(memory, dtype, order, "float64");
}

function correct(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
  to: "float32" | "float64",
): KernelFamilies["correct_f32"] {
  const read = reader(memory, dtype, order);
  const { get, set, round, size } = floats(memory, to);
  const itemSize = dtypeInfo(dtype).itemSize;
  return (dst, dstStride, src, srcStride, frames, dark, gain, pixels) => {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        let v = round(read(src + f * srcStride + p * itemSize));
        if (dark) v = round(v - get(dark + p * size));
        if (gain) v = round(v * get(gain + p * size));
        set(dst + f * dstStride + p * size, v);
      }
    }
  };
}

/** The same for pairs of floats, `(r, i) (c, s) = (r c − i s, r s + i c)`: each operation is rounded. */
export function correctPairs(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["correct_pairs"] {
  const read = reader(memory, dtype, order);
  const { get, set, round, size } = floats(memory, dtype as "float32" | "float64");
  return (dst, dstStride, src, srcStride, frames, dark, gain, pixels) => {
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const [re, im] = [2 * p * size, (2 * p + 1) * size];
        let [r, i] = [read(src + f * srcStride + re), read(src + f * srcStride + im)];
        if (dark) [r, i] = [round(r - get(dark + re)), round(i - get(dark + im))];
        if (gain) {
          const [c, s] = [get(gain + re), get(gain + im)];
          [r, i] = [round(round(r * c) - round(i * s)), round(round(r * s) + round(i * c))];
        }
        set(dst + f * dstStride + re, r);
        set(dst + f * dstStride + im, i);
      }
    }
  };
}

/** Dead pixels become the mean of their neighbours, added in the order of the plan. */
export function patch(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["patch"] {
  const view = new DataView(memory.buffer);
  const { get, set, size } = floats(memory, dtype as "float32" | "float64");
  return (data, frameStride, frames, plan, count) => {
    for (let f = 0; f < frames; f++) {
      let at = plan;
      for (let i = 0; i < count; i++) {
        const [pixel, neighbours] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
        let sum = 0;
        at += 8;
        for (let n = 0; n < neighbours; n++, at += 4) {
          sum += get(data + f * frameStride + view.getUint32(at, true) * size);
        }
        if (neighbours > 0) set(data + f * frameStride + pixel * size, sum / neighbours);
      }
    }
  };
}

function floats(memory: WebAssembly.Memory, dtype: "float32" | "float64") {
  const view = new DataView(memory.buffer);
  if (dtype === "float64") {
    const set = (at: number, value: number) => view.setFloat64(at, value, true);
    return { get: (at: number) => view.getFloat64(at, true), set, round: (v: number) => v, size: 8 };
  }
  const set = (at: number, value: number) => view.setFloat32(at, value, true);
  return { get: (at: number) => view.getFloat32(at, true), set, round: Math.fround, size: 4 };
}
