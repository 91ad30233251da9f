/**
 * The code of kernels on this thread: packs are loaded when something first needs them, and compiled when first bound.
 *
 * This file does not contain the packs: `wasm.ts` says where they are, and only the threads of callers load it. Workers
 * get the compiled packs with their run.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { fromBase64, joinedBytes } from "../space/bytes.ts";
import { inflateRaw } from "../portable.ts";
import { mustRunKernels } from "../memory/platform.ts";
import type { Pack, StoredPack } from "./families/packs.ts";
import { inOrder } from "./pack_names.ts";
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
function withMemory(
  module: Uint8Array,
  [start, end]: readonly [number, number],
  shared: boolean,
): Uint8Array<ArrayBuffer> {
  return joinedBytes([module.subarray(0, start), importSection(shared), module.subarray(end)]);
}

/** Imports `env.memory`, of one page or more; a shared memory must have an upper limit (65536 pages, the maximum). */
function importSection(shared: boolean): Uint8Array {
  const text = (s: string) => [s.length, ...new TextEncoder().encode(s)];
  const limits = shared ? [3, 1, 0x80, 0x80, 4] : [0, 1];
  const contents = [1, ...text("env"), ...text("memory"), 2, ...limits];
  return Uint8Array.of(2, contents.length, ...contents);
}

/**
 * What workers make kernels from: a compiled module per pack, or its bytes if modules cannot travel.
 * @category Kernels
 */
export type KernelCode = { readonly [P in Pack]?: WebAssembly.Module | Uint8Array<ArrayBuffer> };

/** A pack that has been loaded: its module for shared memory, and where the import section lies. */
interface LoadedPack {
  readonly wasm: Uint8Array;
  readonly imports: readonly [start: number, end: number];
}

const loaded = new Map<Pack, LoadedPack>();
const loading = new Map<Pack, Promise<void>>();
const modules = { shared: new Map<Pack, WebAssembly.Module>(), private: new Map<Pack, WebAssembly.Module>() };

/** Gives stored packs, if this thread loads packs itself. */
let fetchPack: ((pack: Pack) => Promise<StoredPack>) | undefined;

/** From now on, this thread loads packs by `fetch`. */
export function storePacks(fetch: NonNullable<typeof fetchPack>): void {
  fetchPack = fetch;
}

/** Applied to the bytes of modules before they are compiled. */
let rewrite = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => bytes;

/** For tests: from now on, `how` rewrites the bytes of all kernels before this thread compiles them. */
export function rewriteKernels(how: typeof rewrite): void {
  rewrite = how;
  modules.shared.clear();
  modules.private.clear();
}

/** Compiles kernels; they import what `kernelImports` gives. */
export function compileKernels(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  return new WebAssembly.Module(rewrite(bytes));
}

/**
 * Loads packs that this thread does not have yet. Workers load none: they have those of their run.
 *
 * Errors: `io` if a pack cannot be fetched.
 */
export async function loadPacks(packs: readonly Pack[]): Promise<void> {
  const missing = fetchPack ? packs.filter((pack) => !loaded.has(pack)) : [];
  if (missing.length > 0) await Promise.all(missing.map(loadOnce));
}

async function loadOnce(pack: Pack): Promise<void> {
  let found = loading.get(pack);
  if (!found) {
    found = load(pack);
    loading.set(pack, found);
  }
  try {
    await found;
  } finally {
    loading.delete(pack); // after an error, the next call tries again
  }
}

async function load(pack: Pack): Promise<void> {
  try {
    const { bytes, imports, packed } = await fetchPack!(pack);
    const wasm = await unpacked(fromBase64(packed), bytes);
    loaded.set(pack, { wasm, imports });
  } catch (cause) {
    const text = `Cannot load the kernels of the pack "${pack}": ${reasonOf(cause)}`;
    throw new TilewiseError("io", text, { pack }, { cause });
  }
  const { document, crossOriginIsolated } = globalThis as {
    document?: unknown;
    crossOriginIsolated?: boolean;
  };
  if (document) await compileAside(pack, crossOriginIsolated === true);
}

/** The bytes of a pack, which are known to be so many. */
async function unpacked(packed: Uint8Array<ArrayBuffer>, bytes: number): Promise<Uint8Array> {
  const wasm = await inflateRaw(packed);
  if (wasm.length === bytes) return wasm;
  throw new TilewiseError("corrupt", `it has ${wasm.length} bytes, not ${bytes}`, {
    expected: bytes,
    found: wasm.length,
  });
}

/** Compiles a pack without holding up the page: for the kind of memory that it will most probably have. */
async function compileAside(pack: Pack, shared: boolean): Promise<void> {
  mustRunKernels();
  const cache = shared ? modules.shared : modules.private;
  const module = await WebAssembly.compile(codeBytes(pack, shared));
  if (!cache.has(pack)) cache.set(pack, module);
}

/** Whether this thread has a pack. */
export function hasPack(pack: Pack): boolean {
  return loaded.has(pack);
}

/**
 * The module of a pack as bytes, for shared or private memory; the pack must have been loaded. It imports nothing but
 * that memory, as `env.memory`.
 *
 * @example
 * ```ts
 * import { loadKernels, packBytes } from "@tilewise/tilewise/unstable/kernels";
 * import { assertEquals } from "@std/assert";
 * await loadKernels(["core"]);
 * const module = new WebAssembly.Module(packBytes("core", false));
 * assertEquals(WebAssembly.Module.imports(module), [{ module: "env", name: "memory", kind: "memory" }]);
 * ```
 * @category Kernels
 */
export function packBytes(pack: Pack, shared: boolean): Uint8Array<ArrayBuffer> {
  const found = loaded.get(pack);
  if (!found) throw notLoaded(pack);
  return withMemory(found.wasm, found.imports, shared);
}

/** The bytes as they are compiled. */
function codeBytes(pack: Pack, shared: boolean): Uint8Array<ArrayBuffer> {
  return rewrite(packBytes(pack, shared));
}

/**
 * The module of a pack for shared or for private memory; compiled at the first call, and the same object in all later
 * calls. It can be posted to workers, which then need not compile it again.
 */
export function packModule(pack: Pack, shared: boolean): WebAssembly.Module {
  const cache = shared ? modules.shared : modules.private;
  let module = cache.get(pack);
  if (!module) {
    module = new WebAssembly.Module(codeBytes(pack, shared));
    cache.set(pack, module);
  }
  return module;
}

/** The packs for workers that share a memory with this thread, or for workers in other processes; they must be loaded. */
export function kernelCode(memory: WebAssembly.Memory, travels: boolean, packs: readonly Pack[]): KernelCode {
  const shared = isShared(memory);
  const codeOf = travels ? codeBytes : packModule;
  return Object.fromEntries(inOrder(packs).map((pack) => [pack, codeOf(pack, shared)]));
}

const latest = new Map<Pack, { readonly bytes: Uint8Array; readonly module: WebAssembly.Module }>();

/** The module of the code of a pack; the same bytes are compiled only once. */
export function moduleOf(pack: Pack, code: WebAssembly.Module | Uint8Array<ArrayBuffer>): WebAssembly.Module {
  if (code instanceof WebAssembly.Module) return code;
  const known = latest.get(pack);
  if (known?.bytes.length === code.length && known.bytes.every((byte, i) => byte === code[i])) {
    return known.module;
  }
  const module = new WebAssembly.Module(code);
  latest.set(pack, { bytes: code, module });
  return module;
}

/** The error for a pack that has not been loaded; `kernel`: what was asked for. */
export function notLoaded(pack: Pack, kernel?: string): TilewiseError {
  const what = kernel ? `Cannot call the kernel ${kernel}: its` : "Cannot compile kernels: their";
  const text =
    `${what} pack "${pack}" is not loaded. In code of your own, await loadKernels(["${pack}"]) first; ` +
    "a UDF names the families of kernels that it calls in its member kernels";
  return new TilewiseError("corrupt", text, { pack, ...(kernel ? { kernel } : {}) });
}
