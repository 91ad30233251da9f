/**
 * Reference kernels from rows of components to rows of pixels.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";

/** Samples by number: `at(address)(i)` reads, `put(address, i, value)` writes. */
function samplesOf(memory: WebAssembly.Memory, dtype: DType) {
  const read = reader(memory, dtype), write = writer(memory, dtype), size = dtype === "uint8" ? 1 : 2;
  return {
    at: (address: number) => (i: number) => read(address + i * size),
    put: (address: number, i: number, value: number) => write(address + i * size, value),
  };
}

/** Chroma of half the width and height. */
export function jpegDouble(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_double"] {
  const { at, put } = samplesOf(memory, dtype);
  return (dst, near, far, n) => {
    const [a, b] = [at(near), at(far)];
    const sum = (i: number) => 3 * a(i) + b(i);
    for (let i = 0; i < n; i++) {
      put(dst, 2 * i, 3 * sum(i) + sum(Math.max(0, i - 1)) + 8 >> 4);
      put(dst, 2 * i + 1, 3 * sum(i) + sum(Math.min(n - 1, i + 1)) + 7 >> 4);
    }
  };
}

/** Chroma of half the width. */
export function jpegWiden(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_widen"] {
  const { at, put } = samplesOf(memory, dtype);
  return (dst, src, n) => {
    const a = at(src);
    for (let i = 0; i < n; i++) {
      put(dst, 2 * i, i === 0 ? a(0) : 3 * a(i) + a(i - 1) + 1 >> 2);
      put(dst, 2 * i + 1, i === n - 1 ? a(i) : 3 * a(i) + a(i + 1) + 2 >> 2);
    }
  };
}

/** Chroma of half the height. */
export function jpegBetween(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_between"] {
  const { at, put } = samplesOf(memory, dtype);
  return (dst, near, far, n, bias) => {
    for (let i = 0; i < n; i++) put(dst, i, 3 * at(near)(i) + at(far)(i) + bias >> 2);
  };
}

/** Factors of YCbCr in 16 bits: 1.402, 1.772, 0.71414, 0.34414. */
const [RED, BLUE, GREEN_RED, GREEN_BLUE] = [91881, 116130, 46802, 22554];

/** Red, green and blue. */
export function jpegRgb(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_rgb"] {
  const { at, put } = samplesOf(memory, dtype), precision = dtype === "uint8" ? 8 : 12;
  const most = 2 ** precision - 1, middle = 2 ** (precision - 1);
  const clamped = (value: number) => Math.max(0, Math.min(most, value));
  return (dst, luma, blue, red, n) => {
    for (let i = 0; i < n; i++) {
      const y = at(luma)(i), cb = at(blue)(i) - middle, cr = at(red)(i) - middle;
      put(dst, 3 * i, clamped(y + (RED * cr + 32768 >> 16)));
      put(dst, 3 * i + 1, clamped(y + (-GREEN_BLUE * cb - GREEN_RED * cr + 32768 >> 16)));
      put(dst, 3 * i + 2, clamped(y + (BLUE * cb + 32768 >> 16)));
    }
  };
}

/** Three samples per pixel. */
export function jpegThree(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_three"] {
  const { at, put } = samplesOf(memory, dtype);
  return (dst, first, second, third, n) => {
    for (let i = 0; i < n; i++) {
      [first, second, third].forEach((from, c) => put(dst, 3 * i + c, at(from)(i)));
    }
  };
}
