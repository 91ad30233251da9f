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
import type { BackEnd, FileFacts, OpenFlags } from "./back_end.ts";
import { fileError } from "./errors.ts";
import { folderAndName, partsOf } from "./names.ts";
import {
  explained,
  type FileHandle,
  type FolderHandle,
  Handles,
  type Opened,
  withReasons,
} from "./opfs_handles.ts";

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
