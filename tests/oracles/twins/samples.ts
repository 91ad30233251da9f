/**
 * Samples one at a time: how the reference kernels read and write memory.
 *
 * @module
 */

import type { Read } from "../../../src/memory/sample_reader.ts";
import type { DType } from "../../../src/space/dtype.ts";

/** Writes a sample to an address. */
export type Write = (address: number, value: number) => void;

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
