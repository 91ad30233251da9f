/**
 * The private files of a page's origin (OPFS), in a dedicated worker of a browser.
 *
 * To open is asynchronous there, so a kernel's worker cannot do it; reads and writes answer at once. One worker of a host serves
 * all calls, as files have one handle only: it is shared by all who have the file open. There is no mode that appends: a
 * write at the end asks for the size first, and no other call of the host comes in between.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import {
  type BackEnd,
  fileError,
  type FileFacts,
  folderAndName,
  type OpenFlags,
  partsOf,
} from "./back_end.ts";

// The access handles of a page's private files (OPFS). A file can have one handle in all pages and workers of an origin, so all
// who open it here share one, which is closed with the last of them.

/** The part of a `FileSystemSyncAccessHandle` that is used. */
export interface AccessHandle {
  /** Reads at `at`; the bytes read. */
  read(into: Uint8Array, options: { readonly at: number }): number;
  /** Writes at `at`; the bytes written. */
  write(from: Uint8Array, options: { readonly at: number }): number;
  /** Bytes of the file. */
  getSize(): number;
  /** Makes the file this long. */
  truncate(bytes: number): void;
  /** Waits for the disk. */
  flush(): void;
  /** Gives the lock of the file back. */
  close(): void;
}

/** The part of a `FileSystemFileHandle` that is used. */
export interface FileHandle {
  /** Always `file`. */
  readonly kind: "file";
  /** The lock and the bytes of the file; dedicated workers only. */
  createSyncAccessHandle(): Promise<AccessHandle>;
  /** What is in it now. */
  getFile(): Promise<{ readonly size: number; readonly lastModified: number }>;
}

/** The part of a `FileSystemDirectoryHandle` that is used. */
export interface FolderHandle {
  /** Always `directory`. */
  readonly kind: "directory";
  /** A file in it. */
  getFileHandle(name: string, options?: { readonly create: boolean }): Promise<FileHandle>;
  /** A folder in it. */
  getDirectoryHandle(name: string, options?: { readonly create: boolean }): Promise<FolderHandle>;
  /** Removes what is in it. */
  removeEntry(name: string): Promise<void>;
  /** The names in it. */
  keys(): AsyncIterable<string>;
}

/** A file that somebody has open. */
interface Shared {
  readonly handle: Promise<AccessHandle>;
  users: number;
}

/** An open file: its handle, and how to give it back. */
interface Opened {
  /** The handle, shared with others. */
  readonly handle: AccessHandle;
  /** Its key among the open files. */
  readonly key: string;
}

/** The handles of the files that are open in this worker. */
class Handles {
  readonly #shared = new Map<string, Shared>();

  /** The handle of the file with `key`; `make` makes it unless it is open. */
  async take(key: string, flags: OpenFlags, make: () => Promise<AccessHandle>): Promise<Opened> {
    let shared = this.#shared.get(key);
    if (!shared) this.#shared.set(key, shared = { handle: make(), users: 0 });
    shared.users++;
    let handle: AccessHandle | undefined;
    try {
      handle = await shared.handle;
      if (flags.startsWith("w")) handle.truncate(0);
      return { handle, key };
    } catch (error) {
      if (this.#leave(key, shared)) handle?.close();
      throw error;
    }
  }

  /** Gives a handle back. */
  give({ key, handle }: Opened): void {
    if (this.#leave(key, this.#shared.get(key)!)) handle.close();
  }

  /** The handle of the file with `key`, if it is open. */
  async of(key: string): Promise<AccessHandle | undefined> {
    return await this.#shared.get(key)?.handle;
  }

  #leave(key: string, shared: Shared): boolean {
    if (--shared.users > 0) return false;
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
    return true;
  }
}

const ERRORS = {
  NotFoundError: "ENOENT",
  NoModificationAllowedError: "EBUSY",
  InvalidModificationError: "ENOTEMPTY",
  QuotaExceededError: "ENOSPC",
  NotAllowedError: "EACCES",
  SecurityError: "EACCES",
  TypeError: "EINVAL",
} as const;

const REASONS = {
  ENOENT: "there is no such file",
  EBUSY: "another page or worker has it open",
  ENOTEMPTY: "the directory has names in it",
  ENOSPC: "the browser gives this page no more room",
  EACCES: "the browser does not permit it",
  EINVAL: "the browser does not take this name",
} as const;

/** What `work` returns; errors of the browser become typed ones. `mismatch`: what a file in place of a folder is, or the reverse. */
async function withReasons<T>(
  verb: string,
  name: string,
  mismatch: "EISDIR" | "ENOTDIR",
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(verb, name, mismatch, error);
  }
}

/** A typed error for one of the browser. */
function explained(verb: string, name: string, mismatch: "EISDIR" | "ENOTDIR", error: unknown): Error {
  const kind = (error as { readonly name?: string } | undefined)?.name ?? "";
  if (kind === "TilewiseError") return error as Error;
  const start = `Cannot ${verb} ${name}`;
  if (kind === "TypeMismatchError") {
    const text = mismatch === "EISDIR" ? "it is a directory" : "it leads through a file, or is one";
    return fileError(mismatch, `${start}: ${text}`, { file: name }, error);
  }
  const errno = Object.hasOwn(ERRORS, kind) ? ERRORS[kind as keyof typeof ERRORS] : undefined;
  const reason = errno ? REASONS[errno] : error instanceof Error ? error.message : String(error);
  return fileError(errno ?? "EIO", `${start}: ${reason}`, { file: name }, error);
}

const ROOT = "the private files of this origin";

/** Files below `folder`, which is made if it is missing. Errors: `unsupported` where this thread has no such files. */
export async function opfsFiles(folder = ""): Promise<BackEnd> {
  const { navigator } = globalThis as unknown as {
    readonly navigator?: { readonly storage?: { getDirectory?(): Promise<FolderHandle> } };
  };
  if (!navigator?.storage?.getDirectory || "document" in globalThis) {
    const text = "Cannot use private files of a page: only dedicated workers of a browser have them";
    throw new TilewiseError("unsupported", text);
  }
  const parts = partsOf(folder, ROOT);
  let root = await withReasons("use", ROOT, "ENOTDIR", () => navigator.storage!.getDirectory!());
  for (const part of parts) {
    root = await withReasons("use", folder, "ENOTDIR", () => root.getDirectoryHandle(part, { create: true }));
  }
  return new OpfsFiles(root);
}

/** Files below one folder. */
export class OpfsFiles implements BackEnd {
  /** See {@link BackEnd.synchronous}. */
  readonly synchronous = false;
  readonly #handles = new Handles();
  readonly #open = new Map<number, Opened & { readonly name: string }>();
  #last = 0;

  /** Files below `root`. */
  constructor(private readonly root: FolderHandle) {}

  /** See {@link BackEnd.open}. */
  async open(name: string, flags: OpenFlags): Promise<number> {
    const parts = partsOf(name, ROOT);
    const [way, own] = folderAndName(parts, ROOT);
    const make = async () => {
      const folder = await this.#folder("open", name, way);
      const handle = await folder.getFileHandle(own, { create: !flags.startsWith("r") });
      return await handle.createSyncAccessHandle();
    };
    const opened = await withReasons("open", name, "EISDIR", () => {
      return this.#handles.take(parts.join("/"), flags, make);
    });
    this.#open.set(++this.#last, { ...opened, name });
    return this.#last;
  }

  /** See {@link BackEnd.close}. */
  close(file: number): void {
    const open = this.#found(file);
    this.#open.delete(file);
    this.#handles.give(open);
  }

  /** See {@link BackEnd.size}. */
  size(file: number): number {
    const { handle, name } = this.#found(file);
    return told("ask for the size of", name, () => handle.getSize());
  }

  /** See {@link BackEnd.read}. */
  read(file: number, bytes: Uint8Array, at: number, length: number, position: number): number {
    const { handle, name } = this.#found(file);
    let done = 0;
    for (let got = 1; got > 0 && done < length; done += got) {
      got = told(
        "read",
        name,
        () => handle.read(bytes.subarray(at + done, at + length), { at: position + done }),
      );
    }
    return done;
  }

  /** See {@link BackEnd.write}. */
  write(file: number, bytes: Uint8Array, at: number, length: number, position: number | null): number {
    const { handle, name } = this.#found(file);
    const start = position ?? this.size(file);
    let done = 0;
    try {
      for (let put = 1; put > 0 && done < length; done += put) {
        put = handle.write(bytes.subarray(at + done, at + length), { at: start + done });
      }
    } catch (error) {
      if (done === 0) throw explained("write", name, "EISDIR", error);
    }
    if (done > 0 || length === 0) return done;
    throw fileError("ENOSPC", `Cannot write ${name}: the browser takes no byte`, { file: name });
  }

  /** See {@link BackEnd.flush}. */
  flush(file: number): void {
    const { handle, name } = this.#found(file);
    told("flush", name, () => handle.flush());
  }

  /** See {@link BackEnd.truncate}. */
  truncate(file: number, bytes: number): void {
    const { handle, name } = this.#found(file);
    told("cut", name, () => handle.truncate(bytes));
  }

  /** See {@link BackEnd.stat}. */
  async stat(name: string): Promise<FileFacts> {
    const parts = partsOf(name, ROOT);
    const found = await this.#entry("look at", name, parts);
    if (found.kind === "directory") return { bytes: 0, kind: "directory" };
    const open = await this.#handles.of(parts.join("/")); // it knows bytes that are not flushed yet
    return await withReasons("look at", name, "EISDIR", async () => {
      const { size, lastModified } = await found.getFile();
      return { bytes: open?.getSize() ?? size, kind: "file", modified: lastModified };
    });
  }

  /** See {@link BackEnd.list}. */
  async list(name: string): Promise<readonly string[]> {
    const names: string[] = [];
    return await withReasons("list", name, "ENOTDIR", async () => {
      const folder = await this.#folder("list", name, partsOf(name, ROOT));
      for await (const own of folder.keys()) names.push(own);
      return names.sort();
    });
  }

  /** See {@link BackEnd.remove}. */
  async remove(name: string): Promise<void> {
    const [way, own] = folderAndName(partsOf(name, ROOT), ROOT);
    const folder = await this.#folder("remove", name, way);
    await withReasons("remove", name, "ENOTDIR", () => folder.removeEntry(own));
  }

  /** See {@link BackEnd.mkdir}. */
  async mkdir(name: string): Promise<void> {
    const parts = partsOf(name, ROOT);
    const found = await this.#entry("make", name, parts).catch(() => undefined);
    if (found) {
      throw fileError("EEXIST", `Cannot make ${name}: the name is taken`, { file: name });
    }
    const folder = await this.#folder("make", name, parts.slice(0, -1));
    await withReasons(
      "make",
      name,
      "ENOTDIR",
      () => folder.getDirectoryHandle(parts.at(-1)!, { create: true }),
    );
  }

  async #entry(verb: string, name: string, parts: readonly string[]): Promise<FileHandle | FolderHandle> {
    const own = parts.at(-1);
    if (own === undefined) return this.root;
    const folder = await this.#folder(verb, name, parts.slice(0, -1));
    return await withReasons(verb, name, "EISDIR", async () => {
      try {
        return await folder.getFileHandle(own);
      } catch (error) {
        if ((error as Error).name !== "TypeMismatchError") throw error;
        return await folder.getDirectoryHandle(own);
      }
    });
  }

  async #folder(verb: string, name: string, parts: readonly string[]): Promise<FolderHandle> {
    let folder = this.root;
    for (const part of parts) {
      folder = await withReasons(verb, name, "ENOTDIR", () => folder.getDirectoryHandle(part));
    }
    return folder;
  }

  #found(file: number): Opened & { readonly name: string } {
    const open = this.#open.get(file);
    if (open) return open;
    throw fileError("EBADF", `Cannot use a file of ${ROOT}: it has been closed`);
  }
}

/** What `work` returns; errors of the browser become typed ones. */
function told<T>(verb: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explained(verb, name, "EISDIR", error);
  }
}
