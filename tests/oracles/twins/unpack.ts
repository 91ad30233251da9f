/**
 * Reference kernels that unpack samples of few bits, and Merlin's raw read-out order.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";

/** Bit `i` of the stream is bit `i % 8`, counted from the lowest, of byte `⌊i / 8⌋`; values have their lowest bit first. */
export function bitsLsb(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["bits_lsb"] {
  return bits(memory, dtype, (value, bit, i) => value + bit * 2 ** i, (byte, i) => byte >> i & 1);
}

/**
 * Bit `i` of the stream is bit `i % 8`, counted from the highest, of byte `⌊i / 8⌋`; values have their highest bit
 * first.
 */
export function bitsMsb(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["bits_msb"] {
  return bits(memory, dtype, (value, bit) => 2 * value + bit, (byte, i) => byte >> (7 - i) & 1);
}

function bits(
  memory: WebAssembly.Memory,
  dtype: DType,
  append: (value: number, bit: number, i: number) => number,
  pick: (byte: number, i: number) => number,
): KernelFamilies["bits_lsb"] {
  const bytes = new Uint8Array(memory.buffer);
  const set = writer(memory, dtype);
  return (dst, src, startBit, n, width) => {
    for (let i = 0; i < n; i++) {
      let value = 0;
      for (let b = 0; b < width; b++) {
        const at = startBit + i * width + b;
        value = append(value, pick(bytes[src + Math.floor(at / 8)]!, at % 8), b);
      }
      set(dst, i, value);
    }
  };
}

/** The samples in reverse. */
export function reverse(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["reverse"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n) => {
    for (let i = 0; i < n; i++) {
      for (let b = 0; b < itemSize; b++) {
        bytes[dst + i * itemSize + b] = bytes[src + (n - 1 - i) * itemSize + b]!;
      }
    }
  };
}

/** Pixel `p` of a 64-bit word is bit `p % 8` of its byte `7 − ⌊p / 8⌋`. */
export function mibR1(memory: WebAssembly.Memory): KernelFamilies["mib_r1"] {
  const bytes = new Uint8Array(memory.buffer);
  return (dst, src, n) => {
    for (let p = 0; p < n; p++) {
      const word = src + 8 * Math.floor(p / 64);
      bytes[dst + p] = bytes[word + 7 - Math.floor(p % 64 / 8)]! >> (p % 8) & 1;
    }
  };
}

/** The bytes of each 64-bit word in reverse: 8 pixels of a byte, or 4 big-endian pixels of 16 bits. */
export function mibWords(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["mib_r6"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n) => {
    for (let at = 0; at < n * itemSize; at++) bytes[dst + at] = bytes[src + at - at % 8 + 7 - at % 8]!;
  };
}

/** Pixels whose high and low 12 bits come from two images. */
export function mibR24(memory: WebAssembly.Memory): KernelFamilies["mib_r24"] {
  const view = new DataView(memory.buffer);
  const pixel = (image: number, p: number) => view.getUint16(image + 2 * (p - p % 4 + 3 - p % 4), false);
  return (dst, high, low, n) => {
    for (let p = 0; p < n; p++) view.setUint32(dst + 4 * p, pixel(high, p) * 4096 + pixel(low, p), true);
  };
}

function writer(memory: WebAssembly.Memory, dtype: DType): (dst: number, i: number, value: number) => void {
  const view = new DataView(memory.buffer);
  if (dtype === "uint8") return (dst, i, value) => view.setUint8(dst + i, value);
  if (dtype === "uint16") return (dst, i, value) => view.setUint16(dst + 2 * i, value, true);
  return (dst, i, value) => view.setUint32(dst + 4 * i, value, true);
}
