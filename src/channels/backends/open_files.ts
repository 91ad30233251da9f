/**
 * From the description of a store to its files on this thread.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import type { Awaitable, BackEnd, SynchronousBackEnd } from "./back_end.ts";
import { isErrno } from "./errors.ts";
import { MemoryFiles } from "./memory.ts";
import { MemoryTables } from "./memory_tables.ts";
import { systemFiles } from "./node.ts";
import { hasNodeFiles, nodePath } from "./platform.ts";
import { Roots } from "./roots.ts";
import { type FileStore, SYSTEM_FILES } from "./stores.ts";

/** A store and the memory that its host has leased for it: plain data for workers. */
export interface FilePlace {
  /** The store; its memory is formatted. */
  readonly store: FileStore;
  /** Whole paths of the folders below which files of the operating system are used. */
  readonly roots?: readonly string[];
  /** The same folders as the user has written them. */
  readonly given?: readonly string[];
  /** Address of its {@link storeBytes} bytes. */
  readonly offset: number;
}

/** Bytes of shared memory that a host leases for a store. */
export function storeBytes(store: FileStore = SYSTEM_FILES): number {
  if ("module" in store) return 0;
  return store.kind === "memory" ? store.bytes : store.kind === "http" ? store.cacheBytes : 0;
}

/** Whether one I/O worker must serve all file calls: its files cannot be opened twice, or it has the only cache. */
export function needsOneWorker(store: FileStore = SYSTEM_FILES): boolean {
  return !("module" in store) && (store.kind === "opfs" || store.kind === "http");
}

/**
 * Makes the memory of a store ready, and checks its description, on the thread that starts the host: what it returns travels.
 * `offset`: address of {@link storeBytes} bytes, a multiple of 64. Errors: `invalid` for roots of another store, `not-found` for
 * roots that are missing, `unsupported` where there are no such files, `over-budget` for contents without room.
 */
export function prepareFiles(
  memory: WebAssembly.Memory,
  offset: number,
  store: FileStore = SYSTEM_FILES,
  roots?: readonly string[],
): FilePlace {
  const kind = "module" in store ? "a user's" : store.kind;
  if (roots && kind !== "system") {
    const text = `Cannot use roots with ${kind} files: they are folders of the operating system`;
    throw new TilewiseError("invalid", text, { option: "roots", found: kind });
  }
  if ("module" in store) {
    return { store: { ...store, module: wholeUrl(store.module, "use the back end") }, offset };
  }
  if (store.kind === "system") return systemPlace(offset, roots);
  if (store.kind !== "memory") return { store, offset };
  const { contents, ...rest } = store;
  const place = { store: rest, offset };
  fill(memory, place, contents ?? {});
  return place;
}

function systemPlace(offset: number, roots: readonly string[] | undefined): FilePlace {
  if (!hasNodeFiles()) {
    const text =
      "Cannot use files of the operating system here; choose backEnd: opfsFiles() or memoryFiles()";
    throw new TilewiseError("unsupported", text);
  }
  if (!roots) return { store: SYSTEM_FILES, offset };
  new Roots(roots); // errors are found here
  return { store: SYSTEM_FILES, offset, roots: roots.map((root) => nodePath().resolve(root)), given: roots };
}

function fill(
  memory: WebAssembly.Memory,
  { store, offset }: {
    readonly store: { readonly bytes: number; readonly names: number };
    readonly offset: number;
  },
  contents: Readonly<Record<string, Uint8Array>>,
): void {
  const region = { ...store, offset };
  new MemoryTables(memory, region).format();
  const files = new MemoryFiles(memory, region);
  for (const [name, bytes] of Object.entries(contents)) {
    name.split("/").slice(0, -1).reduce((way, part) => {
      const folder = way === "" ? part : `${way}/${part}`;
      if (folder !== "" && !exists(files, folder)) files.mkdir(folder);
      return folder;
    }, "");
    putFile(files, name, bytes);
  }
}

function exists(files: SynchronousBackEnd, name: string): boolean {
  try {
    files.stat(name);
    return true;
  } catch {
    return false;
  }
}

function putFile(files: SynchronousBackEnd, name: string, bytes: Uint8Array): void {
  const file = files.open(name, "w");
  const put = written(files, file, bytes);
  files.close(file);
  if (put === bytes.length) return;
  const text = `memoryFiles(): no room for ${name}, which has ${bytes.length} bytes; give it more bytes`;
  throw new TilewiseError("over-budget", text, { file: name, expected: bytes.length, found: put });
}

function written(files: SynchronousBackEnd, file: number, bytes: Uint8Array): number {
  try {
    return files.write(file, bytes, 0, bytes.length, 0);
  } catch (error) {
    if (isErrno(error, "ENOSPC")) return 0;
    throw error;
  }
}

/**
 * The files of `place` on this thread; without a promise for those that a kernel's own worker may use. `cached`: whether it may use
 * the memory for blocks, which one thread can use.
 */
export function openFiles(memory: WebAssembly.Memory, place: FilePlace, cached = true): Awaitable<BackEnd> {
  const { store, offset } = place;
  if ("module" in store) return import("./user.ts").then(({ loadUserFiles }) => loadUserFiles(store));
  if (store.kind === "opfs") return import("./opfs.ts").then(({ opfsFiles }) => opfsFiles(store.folder));
  if (store.kind === "http") {
    const room = new Uint8Array(memory.buffer, offset, cached ? store.cacheBytes : 0);
    return import("./http.ts").then(({ HttpFiles }) => new HttpFiles(store, room));
  }
  return filesAtOnce(memory, place)!;
}

/** The files of `place` on this thread, if they can be opened without waiting. */
export function filesAtOnce(memory: WebAssembly.Memory, place: FilePlace): SynchronousBackEnd | undefined {
  const { store, offset, roots } = place;
  if ("module" in store) return undefined;
  if (store.kind === "memory") return new MemoryFiles(memory, { ...store, offset });
  return store.kind === "system" ? systemFiles(roots) : undefined;
}
