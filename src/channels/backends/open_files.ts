/**
 * From the description of a store to its files on this thread.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { wrongValue } from "../../options/rules.ts";
import { type Awaitable, type BackEnd, isErrno, type SynchronousBackEnd } from "./back_end.ts";
import { MemoryFiles } from "./memory.ts";
import { MemoryTables } from "./memory_tables.ts";
import { isPermitted, systemFiles } from "./node.ts";
import { hasNodeFiles, nodePath } from "./platform.ts";
import { Roots } from "./roots.ts";
import { type FileStore, folders, storeRule, SYSTEM_FILES } from "./stores.ts";

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

// Whether the worker of a kernel may do the I/O of a file itself.

/**
 * The files that {@link hasDirect} is about: as for a host.
 * @category Channels
 */
export interface DirectOptions {
  /** Where they are. Default: the operating system. */
  readonly backEnd?: FileStore;
  /** Folders below which they must lie. Default: anywhere. */
  readonly roots?: readonly string[];
}

const NAMES: OptionNames<DirectOptions> = { backEnd: storeRule, roots: folders };

/**
 * Whether the worker of a kernel may read the file `name` itself (the route `direct`): its store answers at once on every thread,
 * and the runtime lets this thread look at the file without asking anybody. A file that is missing may be made, if the mode and the
 * permission to write allow it; a directory and a name that leads out of the roots are never reached.
 *
 * @example
 * ```ts
 * import { memoryFiles } from "@tilewise/tilewise/channels";
 * import { hasDirect, httpFiles } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(await hasDirect("scan.raw", { backEnd: memoryFiles() }), true);
 * assertEquals(await hasDirect("scan.raw", { backEnd: httpFiles("https://example.org/") }), false);
 * ```
 * @category Channels
 */
export async function hasDirect(name: string, options: DirectOptions = {}): Promise<boolean> {
  checkOptionNames("hasDirect()", options, NAMES);
  if (typeof name !== "string" || name === "") {
    throw wrongValue("hasDirect()", "name", name, "the name of a file");
  }
  const { backEnd = SYSTEM_FILES, roots } = options;
  if ("module" in backEnd) {
    const { loadUserFiles } = await import("./user.ts");
    return (await loadUserFiles(backEnd)).synchronous;
  }
  if (backEnd.kind !== "system") return backEnd.kind === "memory";
  return hasNodeFiles() && isReachable(name, roots);
}

function isReachable(name: string, roots: readonly string[] | undefined): boolean {
  if (!isPermitted(roots && !nodePath().isAbsolute(name) ? nodePath().join(roots[0]!, name) : name)) {
    return false;
  }
  try {
    return systemFiles(roots).stat(name).kind === "file";
  } catch (error) {
    return isErrno(error, "ENOENT");
  }
}
