/**
 * Reference kernels that undo the shuffling of bytes and bits, and that compute checksums.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";

/** Byte `b` of element `i` is byte `b · n + i`. */
export function unshuffle(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["unshuffle"] {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, n, size) => {
    const step = itemSize === 1 ? size : itemSize;
    for (let i = 0; i < n; i++) {
      for (let b = 0; b < step; b++) bytes[dst + i * step + b] = bytes[src + b * n + i]!;
    }
  };
}

/** Bit `j` of byte `k` of row `8b + i` is bit `i` of byte `b` of element `8k + j`, and that is byte `b · n + 8k + j`. */
export function bitPlanes(memory: WebAssembly.Memory): KernelFamilies["bit_planes"] {
  const bytes = new Uint8Array(memory.buffer);
  return (dst, src, n, size) => {
    const row = n / 8;
    for (let b = 0; b < size; b++) {
      for (let e = 0; e < n; e++) {
        let byte = 0;
        for (let i = 0; i < 8; i++) byte |= (bytes[src + (8 * b + i) * row + (e >> 3)]! >> (e & 7) & 1) << i;
        bytes[dst + b * n + e] = byte;
      }
    }
  };
}

/** Row `r` from `src + r · srcStride` to `dst + r · dstStride`. */
export function copyRows(memory: WebAssembly.Memory): KernelFamilies["copy_rows"] {
  const all = new Uint8Array(memory.buffer);
  return (dst, dstStride, src, srcStride, rows, bytes) => {
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < bytes; i++) all[dst + r * dstStride + i] = all[src + r * srcStride + i]!;
    }
  };
}

/** Fletcher-32. */
export function fletcher32(memory: WebAssembly.Memory): KernelFamilies["fletcher32"] {
  return (out, data, n) => {
    const bytes = new Uint8Array(memory.buffer, data, n);
    let [one, two] = [0, 0];
    for (let i = 0; i < n; i += 2) {
      one = (one + (bytes[i]! << 8) + (bytes[i + 1] ?? 0)) % 65535;
      two = (two + one) % 65535;
    }
    new DataView(memory.buffer).setUint32(out, two * 65536 + one, true);
  };
}

/** Adler-32. */
export function adler32(memory: WebAssembly.Memory): KernelFamilies["adler32"] {
  return (out, data, n) => {
    let [one, two] = [1, 0];
    for (const byte of new Uint8Array(memory.buffer, data, n)) {
      one = (one + byte) % 65521;
      two = (two + one) % 65521;
    }
    new DataView(memory.buffer).setUint32(out, two * 65536 + one, true);
  };
}
