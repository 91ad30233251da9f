/**
 * A file that has another name until it is complete.
 *
 * @module
 */

import { behindLinks, holdPart, partPath, releasePart } from "./part_files.ts";
import { NO_LINKS, syncFile, writeCalls, writeError, type WrittenFile } from "./calls.ts";
import { TilewiseError } from "../../errors.ts";
import { isDenied } from "../source/permission.ts";

/**
 * A file that is written at positions, in any order and by several threads, and gets its name when it is complete.
 * If it is disposed of before, it is removed, and an existing file with that name stays as it was.
 */
export class PartFile implements AsyncDisposable {
  #state: "planned" | "open" | "over" = "planned";
  #synced = false;

  private constructor(
    /** Path that it will have. */
    readonly path: string,
    /** Path that it has until then; {@link writerAt} writes to it. */
    readonly part: string,
  ) {}

  /** A file for `path`, or for what lies behind it if it is a symbolic link; nothing is written yet. */
  static async at(path: string): Promise<PartFile> {
    const target = await behindLinks(path);
    return new PartFile(target, await partPath(target));
  }

  /** Makes the file with `size` bytes: `head`, then zeros. */
  async create(head: Uint8Array, size: number): Promise<void> {
    await this.#make(async (file) => {
      await writeAll(file, head);
      await file.truncate(size);
    });
  }

  /** Makes the file with all its contents; returns the bytes written. */
  async fill(content: FileContent): Promise<number> {
    return await this.#make(async (file) => {
      const bytes = await writeAll(file, content);
      await syncFile(file);
      this.#synced = true;
      return bytes;
    });
  }

  /** As {@link fill}, for a file that only this user may read, and that need not survive a power cut. */
  async fillPrivate(content: FileContent): Promise<number> {
    this.#synced = true;
    return await this.#make((file) => writeAll(file, content), 0o600);
  }

  /** Waits until the complete file is on the disk, then gives it its name. */
  async finish(): Promise<void> {
    const calls = await writeCalls();
    try {
      if (!this.#synced) await calls.sync(this.part);
      await calls.rename(this.part, this.path);
    } catch (error) {
      throw writeError(this.path, error);
    }
    this.#state = "over";
    releasePart(this.part);
  }

  /**
   * As {@link finish}, if there is no file of that name yet; `false`: there is one, which stays. Then the folder is synced, so
   * that the name survives a loss of power.
   *
   * Errors: `unsupported` for file systems without hard links, which alone make this exclusive.
   */
  async finishNew(): Promise<boolean> {
    const calls = await writeCalls();
    try {
      if (!this.#synced) await calls.sync(this.part);
      await calls.link(this.part, this.path);
    } catch (error) {
      if (isTaken(error)) return false;
      throw linkError(this.path, error);
    }
    await this[Symbol.asyncDispose]();
    await calls.syncFolder(this.path.replace(/[\\/][^\\/]*$/, "") || "/").catch(() => {}); // not all systems can
    return true;
  }

  /** Removes it, unless it is complete. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "over";
    const { remove } = await writeCalls();
    await remove(this.part).catch(() => {}); // the earlier error says more
    releasePart(this.part);
  }

  async #make<T>(body: (file: WrittenFile) => Promise<T>, mode?: number): Promise<T> {
    const { create } = await writeCalls();
    try {
      const file = await create(this.part, mode);
      this.#state = "open";
      holdPart(this.part);
      return await closing(file, body);
    } catch (error) {
      throw writeError(this.path, error);
    }
  }
}

/** Whether a link was refused because the name is taken. */
function isTaken(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return code === "EEXIST" || name === "AlreadyExists";
}

function linkError(path: string, cause: unknown): TilewiseError {
  const { code = "" } = cause as { code?: string };
  if (isDenied(cause) || !NO_LINKS.includes(code)) return writeError(path, cause);
  const text =
    `Cannot write ${path} exclusively: this file system refuses hard links (${code}); use a folder on another`;
  return new TilewiseError("unsupported", text, { file: path, found: code }, { cause });
}

/** Writes `bytes`, which may lie in shared memory, at `position` of a file, before it returns. */
export interface WriteAt {
  (bytes: Uint8Array, position: number): void;
  /** Keeps the file open until the result is disposed of: for many small writes, without a wait between them. */
  hold(): Disposable;
}

/**
 * Writes to the existing file `part`, on any thread; errors name `path`. The file is opened for each call, so that nothing
 * stays open when a thread is stopped; this is cheap compared with writing megabytes. `hold` is for rows of a few bytes.
 */
export async function writerAt(part: string, path: string): Promise<WriteAt> {
  const calls = await writeCalls();
  const told = <T>(body: () => T): T => {
    try {
      return body();
    } catch (error) {
      throw writeError(path, error);
    }
  };
  const write = (bytes: Uint8Array, position: number) =>
    told(() => {
      for (let at = 0; at < bytes.length;) {
        const written = calls.writeAt(part, bytes.subarray(at), position + at);
        if (written === 0) throw noMore();
        at += written;
      }
    });
  const hold = () => {
    const held = told(() => calls.hold(part));
    return { [Symbol.dispose]: () => told(() => held[Symbol.dispose]()) };
  };
  return Object.assign(write, { hold });
}

async function writeAll(file: WrittenFile, content: FileContent): Promise<number> {
  let bytes = 0;
  for await (const piece of content instanceof Uint8Array ? [content] : content) {
    for (let at = 0; at < piece.length;) {
      const { bytesWritten } = await file.write(piece.subarray(at));
      if (bytesWritten === 0) throw noMore();
      at += bytesWritten;
    }
    bytes += piece.length;
  }
  return bytes;
}

/** Closes the file; some file systems report only then that they are full. The first error counts. */
async function closing<T>(file: WrittenFile, body: (file: WrittenFile) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await body(file);
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
  await file.close();
  return result;
}

function noMore(): Error {
  return Object.assign(new Error("the device takes no more bytes"), { code: "ENOSPC" });
}

/** The contents of a file: all bytes, or pieces in order. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
