/**
 * Files of the benches: written whole or not at all, and `.npy` arrays read back.
 *
 * @module
 */

import { tmpdir } from "node:os";
import { join } from "@std/path";
import { type DType, dtypeInfo, typedArray } from "../src/space/dtype.ts";
import { type NDArray, ndarray } from "../src/space/ndarray.ts";

/** The folder used unless one is named: `tilewise-bench` in the system's temporary folder. */
export function dataFolder(): string {
  return join(tmpdir(), "tilewise-bench");
}

/** Writes beside the target and renames, so that a file under its final name is whole. */
export async function writeWhole(path: string, write: (file: Deno.FsFile) => void): Promise<void> {
  const part = `${path}.${Deno.pid}.part`;
  using file = await Deno.open(part, { write: true, create: true, truncate: true });
  write(file);
  await Deno.rename(part, path);
}

/** Writes all of `bytes`. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
}

/** The bytes of an array. */
export function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** The size of a file, or nothing. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The types of samples in `.npy` files, by NumPy's description; native ones only. */
const DESCRIPTIONS: Readonly<Record<string, DType>> = {
  "|b1": "bool",
  "|u1": "uint8",
  "|i1": "int8",
  "<u2": "uint16",
  "<i2": "int16",
  "<u4": "uint32",
  "<i4": "int32",
  "<u8": "uint64",
  "<i8": "int64",
  "<f4": "float32",
  "<f8": "float64",
  "<c8": "complex64",
  "<c16": "complex128",
};

/** Reads a small `.npy` file as one array; nothing when it is not there. */
export function readNpy(path: string): NDArray | undefined {
  let file: Uint8Array;
  try {
    file = Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const start = 10 + file[8]! + 256 * file[9]!;
  const header = new TextDecoder().decode(file.subarray(10, start));
  const description = /'descr': '([^']*)'/.exec(header)?.[1] ?? "";
  const dtype = DESCRIPTIONS[description];
  if (!dtype) throw new Error(`${path}: samples of type "${description}"`);
  const shape = /'shape': \(([^)]*)\)/.exec(header)![1]!.split(",").filter((n) => n.trim()).map(Number);
  const { buffer, byteLength } = file.slice(start);
  return ndarray(typedArray(dtype, buffer, 0, byteLength / dtypeInfo(dtype).itemSize), shape, dtype);
}
