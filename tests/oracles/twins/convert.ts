/**
 * Reference kernels that convert samples: byte order and type.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { readSample } from "../expression.ts";
import { beforeSingle } from "../../../src/space/cast.ts";
import { reader } from "../../../src/memory/sample_reader.ts";
import { doubles, writer } from "./samples.ts";

/** The bytes of each sample in reverse. */
export function swap(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["swap"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n) => {
    for (let at = 0; at < n * itemSize; at += itemSize) {
      bytes.set(bytes.slice(src + at, src + at + itemSize).reverse(), dst + at);
    }
  };
}

/** Samples as f32. */
export function convertF32(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["convert_f32"] {
  const view = new DataView(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n) => {
    for (let i = 0; i < n; i++) {
      const sample = readSample(view, src + i * itemSize, dtype, order === "little");
      view.setFloat32(dst + 4 * i, beforeSingle(sample), true);
    }
  };
}

/** Samples minus a number, as f32. */
export function lowerF32(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["lower_f32"] {
  const read = reader(memory, dtype, order);
  const view = new DataView(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n, least) => {
    for (let i = 0; i < n; i++) view.setFloat32(dst + 4 * i, read(src + i * itemSize) - least, true);
  };
}

/** Samples as f64. */
export function convertF64(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["convert_f64"] {
  const read = reader(memory, dtype, order);
  const { set } = doubles(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n) => {
    for (let i = 0; i < n; i++) set(dst + 8 * i, read(src + i * itemSize));
  };
}

/** `dst[i] += src[i]`. */
export function add(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["add"] {
  const [get, set, { itemSize }] = [reader(memory, dtype), writer(memory, dtype), dtypeInfo(dtype)];
  return (dst, src, n) => { // a sum of two f32 in f64 is rounded once, as it is stored
    for (let at = 0; at < n * itemSize; at += itemSize) set(dst + at, get(dst + at) + get(src + at));
  };
}
