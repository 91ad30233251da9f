/**
 * The access handles of a page's private files (OPFS). A file can have one handle in all pages and workers of an origin, so all
 * who open it here share one, which is closed with the last of them.
 *
 * @module
 */

import type { OpenFlags } from "./back_end.ts";
import { fileError } from "./errors.ts";

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
export interface Opened {
  /** The handle, shared with others. */
  readonly handle: AccessHandle;
  /** Its key among the open files. */
  readonly key: string;
}

/** The handles of the files that are open in this worker. */
export class Handles {
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
export async function withReasons<T>(
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
export function explained(verb: string, name: string, mismatch: "EISDIR" | "ENOTDIR", error: unknown): Error {
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
