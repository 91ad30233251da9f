/**
 * Kernels and the memory they work on: modules for shared or for private memory, and their instances.
 *
 * This file does not contain the bytes of the kernels: `wasm.ts` provides them, and only the threads of callers load
 * it. Workers get the compiled module with their run, so that the encoded bytes are not loaded in each of them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { fencesOf } from "../memory/fences.ts";
import type { KernelExports } from "./kernels_types.ts";

/**
 * The kernels, bound to one memory.
 * @category Kernels
 */
export interface Kernels {
  /** The memory whose addresses the kernels take. */
  readonly memory: WebAssembly.Memory;
  /** Every kernel by its exported name. */
  readonly exports: KernelExports;
}

/**
 * What workers make kernels from: a compiled module, or its bytes if it cannot travel.
 * @category Kernels
 */
export type KernelCode = WebAssembly.Module | Uint8Array<ArrayBuffer>;

const modules = new Map<boolean, WebAssembly.Module>();

/** The bytes of the kernels, if this thread has them. */
let stored: ((shared: boolean) => Uint8Array<ArrayBuffer>) | undefined;

/** From now on, the kernels of this thread are made from these bytes, unless a module is given. */
export function storeKernels(bytes: NonNullable<typeof stored>): void {
  stored = bytes;
}

/** Applied to the bytes of modules before they are compiled. */
let rewrite = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => bytes;

/** For tests: from now on, `how` rewrites the bytes of all kernels before this thread compiles them. */
export function rewriteKernels(how: typeof rewrite): void {
  rewrite = how;
  modules.clear();
}

/** Compiles kernels; they import what {@link kernelImports} gives. */
export function compileKernels(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  return new WebAssembly.Module(rewrite(bytes));
}

/**
 * The imports of kernels over `memory`: that memory, and, for rewritten kernels, the function that reports accesses
 * outside of their memory.
 */
export function kernelImports(memory: WebAssembly.Memory): WebAssembly.Imports {
  const outside = (address: number, bytes: number, writes: number) => {
    throw fencesOf(memory)?.outside(address >>> 0, bytes, writes !== 0);
  };
  return { env: { memory, outside } };
}

/**
 * The module for shared or for private memory; compiled at the first call, and the same object in all later calls. It
 * can be posted to workers, which then need not compile it again.
 */
export function kernelModule(shared: boolean): WebAssembly.Module {
  let module = modules.get(shared);
  if (!module) {
    module = new WebAssembly.Module(kernelBytes(shared));
    modules.set(shared, module);
  }
  return module;
}

/** The bytes of that module. */
function kernelBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  if (!stored) throw new TilewiseError("corrupt", "This thread has no kernels: load src/kernels/wasm.ts");
  return rewrite(stored(shared));
}

/** The kernels for workers that share a memory with this thread, or for workers in other processes. */
export function kernelCode(memory: WebAssembly.Memory, travels: boolean): KernelCode {
  const shared = isShared(memory);
  return travels ? kernelBytes(shared) : kernelModule(shared);
}

let latest: { readonly bytes: Uint8Array; readonly module: WebAssembly.Module } | undefined;

/** The module of `code`; the same bytes are compiled only once. */
export function moduleOf(code: KernelCode): WebAssembly.Module {
  if (code instanceof WebAssembly.Module) return code;
  const isLatest = latest?.bytes.length === code.length && latest.bytes.every((byte, i) => byte === code[i]);
  if (!isLatest) latest = { bytes: code, module: new WebAssembly.Module(code) };
  return latest!.module;
}

/** The kernels of each memory, with the module they are from: an instance with hundreds of exports takes milliseconds to make. */
const bound = new WeakMap<
  WebAssembly.Memory,
  { readonly module: WebAssembly.Module; readonly kernels: Kernels }
>();

/**
 * The kernels over `memory`, which may be shared or private. The same memory has the same kernels in all calls.
 *
 * @example Sum two frames of three pixels
 * ```ts
 * import { instantiateKernels } from "@tilewise/tilewise/kernels";
 * import { assertEquals } from "@std/assert";
 * const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
 * const { exports } = instantiateKernels(memory);
 * new Uint16Array(memory.buffer, 1024, 6).set([1, 2, 3, 10, 20, 30]);
 * exports.sum_frames_u16(2048, 1024, 2, 6, 3);
 * assertEquals([...new Float64Array(memory.buffer, 2048, 3)], [11, 22, 33]);
 * ```
 * @category Kernels
 */
export function instantiateKernels(memory: WebAssembly.Memory, module?: WebAssembly.Module): Kernels {
  const shared = isShared(memory);
  try {
    const from = module ?? kernelModule(shared);
    const known = bound.get(memory);
    if (known?.module === from) return known.kernels;
    const instance = new WebAssembly.Instance(from, kernelImports(memory));
    // The compiler does not know the exports of a module: those of the kernels are generated by the build.
    const kernels = { memory, exports: instance.exports as unknown as KernelExports };
    bound.set(memory, { module: from, kernels });
    return kernels;
  } catch (cause) {
    const kind = shared ? "shared" : "private";
    const pages = memory.buffer.byteLength / 65536;
    throw new TilewiseError(
      "unsupported",
      `Cannot run the kernels on a ${kind} memory of ${pages} pages: they need WebAssembly with 128-bit SIMD, ` +
        "a memory of at least one page, and a module that was made for this kind of memory",
      {},
      { cause },
    );
  }
}

/** Whether `memory` can be shared between threads. */
export function isShared(memory: WebAssembly.Memory): boolean {
  return typeof SharedArrayBuffer !== "undefined" && memory.buffer instanceof SharedArrayBuffer;
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
