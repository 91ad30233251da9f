/**
 * Samples one at a time: how the reference kernels read and write memory.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../space/dtype.ts";

/** Reads the sample at an address; 64-bit integers are rounded to the nearest double. */
export type Read = (address: number) => number;

/** Writes a sample to an address. */
export type Write = (address: number, value: number) => void;

/** A reader of samples of `dtype`. */
export function reader(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder = "little"): Read {
  const view = new DataView(memory.buffer);
  const little = order === "little";
  switch (dtype) {
    case "bool":
    case "uint8":
      return (address) => view.getUint8(address);
    case "int8":
      return (address) => view.getInt8(address);
    case "uint16":
      return (address) => view.getUint16(address, little);
    case "int16":
      return (address) => view.getInt16(address, little);
    case "uint32":
      return (address) => view.getUint32(address, little);
    case "int32":
      return (address) => view.getInt32(address, little);
    case "uint64":
      return (address) => Number(view.getBigUint64(address, little));
    case "int64":
      return (address) => Number(view.getBigInt64(address, little));
    case "float16":
      return (address) => view.getFloat16(address, little);
    case "float32":
      return (address) => view.getFloat32(address, little);
    case "float64":
      return (address) => view.getFloat64(address, little);
    default:
      throw new TypeError(`No kernel reads ${dtype}`);
  }
}

/** Reads and writes f64 in memory order. */
export function doubles(memory: WebAssembly.Memory): { get: Read; set: Write } {
  const view = new DataView(memory.buffer);
  return {
    get: (address) => view.getFloat64(address, true),
    set: (address, value) => view.setFloat64(address, value, true),
  };
}

/** A writer of samples of `dtype` in memory order, for types that {@link reader} reads without loss. */
export function writer(memory: WebAssembly.Memory, dtype: DType): Write {
  const view = new DataView(memory.buffer);
  switch (dtype) {
    case "bool":
    case "uint8":
      return (address, value) => view.setUint8(address, value);
    case "int8":
      return (address, value) => view.setInt8(address, value);
    case "uint16":
      return (address, value) => view.setUint16(address, value, true);
    case "int16":
      return (address, value) => view.setInt16(address, value, true);
    case "uint32":
      return (address, value) => view.setUint32(address, value, true);
    case "int32":
      return (address, value) => view.setInt32(address, value, true);
    case "float32":
      return (address, value) => view.setFloat32(address, value, true);
    case "float64":
      return (address, value) => view.setFloat64(address, value, true);
    default:
      throw new TypeError(`No kernel writes ${dtype}`);
  }
}
