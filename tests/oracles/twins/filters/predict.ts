/**
 * Reference kernels that undo predictors, transpose, reverse bits and compute CRCs.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";

/** `dst[i] = dst[i − step] + src[i]` in each row. */
export function sumRows(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["sum_rows"] {
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(memory.buffer);
  return (dst, src, rows, width, step) => {
    for (let i = 0; i < rows * width; i++) {
      let carry = 0;
      for (let b = 0; b < itemSize; b++) {
        const stored = bytes[src + i * itemSize + (order === "big" ? itemSize - 1 - b : b)]!;
        const before = i % width < step ? 0 : bytes[dst + (i - step) * itemSize + b]!;
        carry += stored + before;
        bytes[dst + i * itemSize + b] = carry;
        carry >>= 8;
      }
    }
  };
}

/** Bytes of a row are summed, then byte `b` of float `i`, from the highest on, is byte `b · width + i`. */
export function floatRows(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["float_rows"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, rows, width, anySize, step, _spare) => {
    const size = itemSize === 1 ? anySize : itemSize;
    for (let r = 0; r < rows; r++) {
      const row = bytes.slice(src + r * width * size, src + (r + 1) * width * size);
      for (let i = step; i < row.length; i++) row[i] = row[i]! + row[i - step]!;
      for (let i = 0; i < width; i++) {
        for (let b = 0; b < size; b++) {
          bytes[dst + (r * width + i) * size + size - 1 - b] = row[b * width + i]!;
        }
      }
    }
  };
}

/** `dst[column][row] = src[row][column]`. */
export function transpose(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["transpose"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, dstStride, src, srcStride, rows, columns) => {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const from = src + row * srcStride + column * itemSize;
        bytes.copyWithin(dst + column * dstStride + row * itemSize, from, from + itemSize);
      }
    }
  };
}

/** Bit `i` of each byte is its bit `7 − i`. */
export function reverseBits(memory: WebAssembly.Memory): KernelFamilies["reverse_bits"] {
  const bytes = new Uint8Array(memory.buffer);
  return (dst, src, n) => {
    for (let at = 0; at < n; at++) {
      let reversed = 0;
      for (let i = 0; i < 8; i++) reversed |= (bytes[src + at]! >> i & 1) << 7 - i;
      bytes[dst + at] = reversed;
    }
  };
}

/** The CRC, bit by bit. */
export function crc(memory: WebAssembly.Memory): KernelFamilies["crc"] {
  return (out, data, n, polynomial, _tables) => {
    let sum = -1;
    for (const byte of new Uint8Array(memory.buffer, data, n)) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ polynomial : sum >>> 1;
    }
    new DataView(memory.buffer).setUint32(out, ~sum >>> 0, true);
  };
}
