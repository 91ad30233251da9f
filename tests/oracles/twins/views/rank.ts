/**
 * Reference kernels of medians and ranks.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";

type MedianKernel = KernelFamilies["median_3"];

/** `out[y][x] = median of data[y … y + 2][x … x + 2]` */
export function median3(memory: WebAssembly.Memory, dtype: DType): MedianKernel {
  return median(memory, dtype, 3);
}

/** `out[y][x] = median of data[y … y + 4][x … x + 4]` */
export function median5(memory: WebAssembly.Memory, dtype: DType): MedianKernel {
  return median(memory, dtype, 5);
}

function median(memory: WebAssembly.Memory, dtype: DType, size: number): MedianKernel {
  const { itemSize } = dtypeInfo(dtype);
  const copy = copyRank(memory, dtype);
  return (out, outStride, data, rowStride, rows, n, _scratch) => {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < n; x++) {
        const window = Array.from({ length: size * size }, (_, i) => {
          return data + (y + Math.floor(i / size)) * rowStride + (x + i % size) * itemSize;
        });
        copy(out + y * outStride + x * itemSize, window, (size * size - 1) / 2);
      }
    }
  };
}

/** `out[i] = the sample with rank others below it of data[i + offsets[k]]` */
export function selectRank(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["select_rank"] {
  const { itemSize } = dtypeInfo(dtype);
  const offset = reader(memory, "uint32");
  const copy = copyRank(memory, dtype);
  return (out, data, n, offsets, count, rank) => {
    for (let i = 0; i < n; i++) {
      const window = Array.from({ length: count }, (_, k) => data + i * itemSize + offset(offsets + 4 * k));
      copy(out + i * itemSize, window, rank);
    }
  };
}

/** As `select_rank`; the histogram stays empty. */
export function slideRank(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["slide_rank"] {
  const select = selectRank(memory, dtype);
  return (out, data, n, offsets, count, _leaving, _entering, _edges, rank, _histogram) =>
    select(out, data, n, offsets, count, rank);
}

/** Copies the sample of a rank among those at some addresses. */
function copyRank(memory: WebAssembly.Memory, dtype: DType) {
  const bytes = new Uint8Array(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  const read = exactReader(memory, dtype);
  return (out: number, window: readonly number[], rank: number) => {
    const values = window.map((address) => ({ address, value: read(address) }));
    values.sort((a, b) => a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
    const { address } = values[rank]!;
    bytes.copyWithin(out, address, address + itemSize);
  };
}

function exactReader(memory: WebAssembly.Memory, dtype: DType): (address: number) => number | bigint {
  if (dtype !== "int64") return reader(memory, dtype);
  const view = new DataView(memory.buffer);
  return (address) => view.getBigInt64(address, true);
}

/** Floats as integers of the same order. */
export function orderKeys(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["order_keys"] {
  const read = reader(memory, dtype, order);
  const { bits, put, itemSize } = bitsOf(memory, dtype);
  return (out, data, n) => {
    for (let i = 0; i < n; i++) {
      const at = data + i * itemSize;
      const without = Number.isNaN(read(at)) ? BigInt.asUintN(8 * itemSize - 1, bits(at)) : bits(at);
      put(out + i * itemSize, turned(without, itemSize));
    }
  };
}

/** Integers as the floats that they were made of. */
export function orderFloats(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["order_floats"] {
  const { bits, put, itemSize } = bitsOf(memory, dtype);
  return (out, data, n) => {
    for (let i = 0; i < n; i++) put(out + i * itemSize, turned(bits(data + i * itemSize), itemSize));
  };
}

/** Reads and writes samples as signed integers. */
function bitsOf(memory: WebAssembly.Memory, dtype: DType) {
  const view = new DataView(memory.buffer);
  const { itemSize } = dtypeInfo(dtype);
  return {
    itemSize,
    bits: (at: number) => itemSize === 4 ? BigInt(view.getInt32(at, true)) : view.getBigInt64(at, true),
    put: (at: number, value: bigint) => {
      if (itemSize === 4) view.setInt32(at, Number(value), true);
      else view.setBigInt64(at, value, true);
    },
  };
}

/** Negative ones with all bits but the sign turned around: the least becomes -1. */
function turned(value: bigint, itemSize: number): bigint {
  return value < 0n ? -(1n << BigInt(8 * itemSize - 1)) - 1n - value : value;
}
