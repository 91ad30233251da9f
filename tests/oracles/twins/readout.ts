/**
 * Reference kernels that assemble frames of detectors that are read out in pieces.
 *
 * @module
 */

import type { KernelFamilies } from "../../../src/kernels/families/families.ts";

/**
 * Values of 12 bits, the lowest bits first: 3 bytes are 2 values. Column 0 of block `k` is column `16 (blocks − 1 −
 * k)`.
 */
export function k2isRows(memory: WebAssembly.Memory): KernelFamilies["k2is_rows"] {
  const view = new DataView(memory.buffer);
  return (dst, dstStride, src, blockStride, blocks, rows) => {
    for (let k = 0; k < blocks; k++) {
      for (let i = 0; i < 16 * rows; i++) {
        const at = src + k * blockStride + Math.floor(i / 2) * 3;
        const [first, middle, last] = [view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2)];
        const value = i % 2 === 0 ? first + (middle & 15) * 256 : (middle >> 4) + last * 16;
        const column = 16 * (blocks - 1 - k) + i % 16;
        view.setUint16(dst + Math.floor(i / 16) * dstStride + 2 * column, value, true);
      }
    }
  };
}

/** Upper half: the left half of the stored row. Lower half: its right half, starting with the last row and column. */
export function unfold(memory: WebAssembly.Memory): KernelFamilies["unfold"] {
  const view = new DataView(memory.buffer);
  return (dst, src, rows, width, bin) => {
    const height = 2 * rows * bin;
    for (let y = 0; y < height; y++) {
      const isUpper = y < height / 2;
      const row = Math.floor((isUpper ? y : height - 1 - y) / bin);
      for (let x = 0; x < width; x++) {
        const column = isUpper ? x : 2 * width - 1 - x;
        const value = view.getUint16(src + 2 * (row * 2 * width + column), true);
        view.setUint16(dst + 2 * (y * width + x), value, true);
      }
    }
  };
}

/** The mean of each pixel over all frames. */
export function meanFrames(memory: WebAssembly.Memory): KernelFamilies["mean_frames"] {
  const view = new DataView(memory.buffer);
  return (dst, src, frames, stride, n) => {
    for (let p = 0; p < n; p++) {
      let sum = 0;
      for (let f = 0; f < frames; f++) sum += view.getUint16(src + f * stride + 2 * p, true);
      view.setFloat32(dst + 4 * p, sum / frames, true);
    }
  };
}
