/**
 * The memory that kernels import: shared or private.
 *
 * @module
 */

import { fencing } from "../memory/fencing.ts";

/** Whether `memory` can be shared between threads. */
export function isShared(memory: WebAssembly.Memory): boolean {
  return typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
}

/** What kernels import. */
export type KernelImports = WebAssembly.Imports & {
  readonly env: WebAssembly.ModuleImports & { readonly memory: WebAssembly.Memory };
};

/**
 * The imports of kernels over `memory`: that memory, and, for rewritten kernels, the function that reports accesses
 * outside of their memory.
 */
export function kernelImports(memory: WebAssembly.Memory): KernelImports {
  const outside = (address: number, bytes: number, writes: number) => {
    throw fencing()?.of(memory)?.outside(address >>> 0, bytes, writes !== 0);
  };
  return { env: { memory, outside } };
}

/** A module whose only import is `env.memory`, for shared or for private memory; `imports` is its import section. */
export function withMemory(
  module: Uint8Array,
  [start, end]: readonly [number, number],
  shared: boolean,
): Uint8Array<ArrayBuffer> {
  const section = importSection(shared);
  const bytes = new Uint8Array(module.length - (end - start) + section.length);
  bytes.set(module.subarray(0, start));
  bytes.set(section, start);
  bytes.set(module.subarray(end), start + section.length);
  return bytes;
}

/** Imports `env.memory`, of one page or more; a shared memory must have an upper limit (65536 pages, the maximum). */
function importSection(shared: boolean): Uint8Array {
  const text = (s: string) => [s.length, ...new TextEncoder().encode(s)];
  const limits = shared ? [3, 1, 0x80, 0x80, 4] : [0, 1];
  const contents = [1, ...text("env"), ...text("memory"), 2, ...limits];
  return Uint8Array.of(2, contents.length, ...contents);
}
