/**
 * Reference kernels of the forms of sparse tiles.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { reader } from "../../../src/memory/sample_reader.ts";

/** Stored indices as i32, and the check for invalid ones. */
export function csrRows(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["csr_rows"] {
  const { get, set } = ints(memory);
  const { itemSize } = dtypeInfo(dtype);
  return (dst, src, indptr, frames, pixels, faults) => {
    for (let f = 0; f < frames; f++) {
      let before = -1n, unordered = 0;
      for (let e = get(indptr, f); e < get(indptr, f + 1); e++) {
        const index = exact(memory, dtype, order, src + e * itemSize);
        if ((index < 0 || index >= pixels) && get(faults, 0) === 0) set(faults, 0, e + 1);
        if (index <= before) unordered = 1;
        before = index;
        set(dst, e, Number(BigInt.asIntN(32, index)));
      }
      set(faults, 1, get(faults, 1) + unordered);
    }
  };
}

/** The integer at an address; one of 64 bits is read as signed, whatever its type. */
function exact(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder, address: number): bigint {
  if (dtypeInfo(dtype).itemSize < 8) return BigInt(reader(memory, dtype, order)(address));
  return new DataView(memory.buffer).getBigInt64(address, order === "little");
}

/** Some pixels of each frame, including zeros. */
export function csrDense(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_dense"] {
  const { get } = ints(memory);
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(memory.buffer);
  return (dst, dstStride, indptr, indices, data, frames, first, pixels) => {
    for (let f = 0; f < frames; f++) {
      bytes.fill(0, dst + f * dstStride, dst + f * dstStride + pixels * itemSize);
      for (let e = get(indptr, f); e < get(indptr, f + 1); e++) {
        const p = get(indices, e) - first;
        const from = data + e * itemSize;
        if (p >= 0 && p < pixels) bytes.copyWithin(dst + f * dstStride + p * itemSize, from, from + itemSize);
      }
    }
  };
}

/** Some pixels of each frame as CSR. */
export function csrCut(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_cut"] {
  const { get, set } = ints(memory);
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(memory.buffer);
  return (outIndptr, outIndices, outData, indptr, indices, data, frames, first, pixels) => {
    let n = 0;
    set(outIndptr, 0, 0);
    for (let f = 0; f < frames; f++) {
      for (let e = get(indptr, f); e < get(indptr, f + 1); e++) {
        const p = get(indices, e) - first;
        if (p < 0 || p >= pixels) continue;
        set(outIndices, n, p);
        bytes.copyWithin(outData + n++ * itemSize, data + e * itemSize, data + (e + 1) * itemSize);
      }
      set(outIndptr, f + 1, n);
    }
  };
}

/** The non-zero samples, as CSR. */
export function denseCsr(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["dense_csr"] {
  const { set } = ints(memory);
  const read = reader(memory, dtype);
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(memory.buffer);
  return (outIndptr, outIndices, outData, data, frames, frameStride, pixels) => {
    let n = 0;
    set(outIndptr, 0, 0);
    for (let f = 0; f < frames; f++) {
      for (let p = 0; p < pixels; p++) {
        const from = data + f * frameStride + p * itemSize;
        if (read(from) === 0) continue;
        set(outIndices, n, p);
        bytes.copyWithin(outData + n++ * itemSize, from, from + itemSize);
      }
      set(outIndptr, f + 1, n);
    }
  };
}

/** The entries pixel by pixel. */
export function csrCsc(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["csr_csc"] {
  const { get, set } = ints(memory);
  const { itemSize } = dtypeInfo(dtype);
  const bytes = new Uint8Array(memory.buffer);
  return (outIndptr, outIndices, outData, indptr, indices, data, frames, pixels) => {
    const columns: [frame: number, entry: number][][] = Array.from({ length: pixels }, () => []);
    for (let f = 0; f < frames; f++) {
      for (let e = get(indptr, f); e < get(indptr, f + 1); e++) columns[get(indices, e)]!.push([f, e]);
    }
    let n = 0;
    set(outIndptr, 0, 0);
    columns.forEach((column, p) => {
      for (const [f, e] of column) {
        set(outIndices, n, f);
        bytes.copyWithin(outData + n++ * itemSize, data + e * itemSize, data + (e + 1) * itemSize);
      }
      set(outIndptr, p + 1, n);
    });
  };
}

/** The frame of each entry. */
export function csrCoo(memory: WebAssembly.Memory): KernelFamilies["csr_coo"] {
  const { get, set } = ints(memory);
  return (rows, indptr, frames) => {
    for (let f = 0; f < frames; f++) {
      for (let e = get(indptr, f); e < get(indptr, f + 1); e++) set(rows, e - get(indptr, 0), f);
    }
  };
}

/** Reads and writes number `i` of an array of i32. */
export function ints(memory: WebAssembly.Memory): {
  get: (base: number, i: number) => number;
  set: (base: number, i: number, value: number) => void;
} {
  const view = new DataView(memory.buffer);
  return {
    get: (base, i) => view.getInt32(base + 4 * i, true),
    set: (base, i, value) => view.setInt32(base + 4 * i, value, true),
  };
}
