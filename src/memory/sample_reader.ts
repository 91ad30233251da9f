/**
 * Numbers one at a time, where no kernel is worth it.
 *
 * @module
 */

import type { ByteOrder, DType } from "../space/dtype.ts";

/** Reads the number at a place of a view; integers of 64 bits are rounded to the nearest double. */
export type ReadNumber = (view: DataView, at: number, little?: boolean) => number;

/** How numbers of a type are read. */
export const READ_NUMBER: Readonly<Record<Exclude<DType, "complex64" | "complex128">, ReadNumber>> = {
  bool: (view, at) => view.getUint8(at),
  uint8: (view, at) => view.getUint8(at),
  int8: (view, at) => view.getInt8(at),
  uint16: (view, at, little) => view.getUint16(at, little),
  int16: (view, at, little) => view.getInt16(at, little),
  uint32: (view, at, little) => view.getUint32(at, little),
  int32: (view, at, little) => view.getInt32(at, little),
  uint64: (view, at, little) =>
    2 ** 32 * view.getUint32(little ? at + 4 : at, little) + low(view, at, little),
  int64: (view, at, little) => 2 ** 32 * view.getInt32(little ? at + 4 : at, little) + low(view, at, little),
  float16: (view, at, little) => view.getFloat16(at, little),
  float32: (view, at, little) => view.getFloat32(at, little),
  float64: (view, at, little) => view.getFloat64(at, little),
};

/** The lower half of 64 bits; the sum with the upper one is rounded once, as a big integer would be. */
function low(view: DataView, at: number, little?: boolean): number {
  return view.getUint32(little ? at : at + 4, little);
}

/** How numbers of a type are read; `undefined` if it has none that are single. */
export function numberReader(dtype: string): ReadNumber | undefined {
  return Object.hasOwn(READ_NUMBER, dtype) ? READ_NUMBER[dtype as keyof typeof READ_NUMBER] : undefined;
}

/** Reads the sample at an address. */
export type Read = (address: number) => number;

/** A reader of samples of `dtype`. */
export function reader(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder = "little"): Read {
  const view = new DataView(memory.buffer), little = order === "little", read = numberReader(dtype);
  if (!read) throw new TypeError(`No kernel reads ${dtype}`);
  return (address) => read(view, address, little);
}
