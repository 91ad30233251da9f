/**
 * Samples one at a time, where no kernel is worth it.
 *
 * @module
 */

import type { ByteOrder, DType } from "../space/dtype.ts";

/** Reads the sample at an address; 64-bit integers are rounded to the nearest double. */
export type Read = (address: number) => number;

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
