/**
 * Copies of rows of bytes in one call: within the memory of the kernels, or from another memory to it. Kernels know one
 * memory; a module of its own knows two, where the platform allows that.
 *
 * @module
 */

import type { CopyRows } from "../memory/copy_box.ts";
import { fromBase64 } from "../space/bytes.ts";
import { TO_PRIVATE, TO_SHARED } from "./between_bytes.ts";
import type { Kernels } from "./bind.ts";

/** Copies rows within the memory of `kernels`. */
export function copierWithin({ exports: { copy_rows_u8 } }: Kernels): CopyRows {
  return (to, from, bytes, rows, toStride, fromStride) =>
    copy_rows_u8(to, toStride, from, fromStride, rows, bytes);
}

/** Compiled modules: to shared memory, to private memory; `null` where the platform does not take them. */
const modules = new Map<boolean, WebAssembly.Module | null>();

function moduleTo(shared: boolean): WebAssembly.Module | null {
  let module = modules.get(shared);
  if (module === undefined) {
    const bytes = fromBase64(shared ? TO_SHARED : TO_PRIVATE).slice();
    module = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
    modules.set(shared, module);
  }
  return module;
}

/**
 * Copies rows from `from`, which is shared, to `to`; absent where the platform has no modules with two memories. Addresses
 * outside of a memory end the call with an error of the platform.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [from, to] = [true, false].map((shared) => new WebAssembly.Memory({ initial: 1, maximum: 1, shared }));
 * new Uint8Array(from!.buffer).set([1, 2, 3, 4, 5, 6]);
 * copierBetween(from!, to!)?.(8, 1, 2, 2, 2, 3); // two rows of two bytes, the second of each three
 * assertEquals([...new Uint8Array(to!.buffer, 8, 4)], [2, 3, 5, 6]);
 * ```
 */
export function copierBetween(from: WebAssembly.Memory, to: WebAssembly.Memory): CopyRows | undefined {
  const isShared = typeof SharedArrayBuffer !== "undefined" && to.buffer instanceof SharedArrayBuffer;
  const module = moduleTo(isShared);
  if (!module) return undefined;
  const { exports } = new WebAssembly.Instance(module, { from: { memory: from }, to: { memory: to } });
  const copy = exports["copy_rows"] as (...numbers: number[]) => void; // the only export of the module
  return (into, at, bytes, rows, toStride, fromStride) => copy(into, toStride, at, fromStride, rows, bytes);
}
