/**
 * Writes files so that a reader sees the old file or the whole new one, never a part.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../errors.ts";
import { deniedError, isDenied } from "./permission.ts";

/** What a file can be written from: all bytes, or pieces in order. */
export type FileContent = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

let writes = 0;

/**
 * Writes `content` to a hidden part file beside `path` and renames it; on any failure the part file is removed
 * and `path` is as it was.
 *
 * @returns the number of bytes written
 */
export async function writeFileAtomic(path: string, content: FileContent): Promise<number> {
  const [fs, ...names] = await nodeModules();
  const part = partPath(path, names);
  let created = false;
  try {
    const file = await fs.open(part, "wx");
    created = true;
    const bytes = await writeAll(file, content).finally(() => file.close());
    await fs.rename(part, path);
    return bytes;
  } catch (error) {
    if (created) await fs.rm(part, { force: true });
    throw error instanceof TilewiseError ? error : writeError(path, error);
  }
}

/** Loaded when first needed, so that browsers can import this file. */
function nodeModules() {
  return Promise.all([import("node:fs/promises"), import("node:path"), import("node:process")]);
}

type Names = [typeof import("node:path"), { readonly pid: number }];

function partPath(path: string, [{ basename, dirname, join }, { pid }]: Names): string {
  return join(dirname(path), `.${basename(path)}.${pid}.${++writes}.part`);
}

/**
 * A file that is written at positions, in any order and by several threads, and gets its name when it is complete.
 * Disposed of before, it is removed, and what had the name stays as it was.
 */
export class PartFile implements AsyncDisposable {
  #state: "planned" | "open" | "over" = "planned";

  private constructor(
    /** Path that it will have. */
    readonly path: string,
    /** Path that it has until then; {@link writerAt} writes to it. */
    readonly part: string,
  ) {}

  /** A file that will be at `path`; nothing is written yet. */
  static async at(path: string): Promise<PartFile> {
    const [_, ...names] = await nodeModules();
    return new PartFile(path, partPath(path, names));
  }

  /** Makes the file with `size` bytes: `head`, then zeros. */
  async create(head: Uint8Array, size: number): Promise<void> {
    const [fs] = await nodeModules();
    try {
      const file = await fs.open(this.part, "wx");
      this.#state = "open";
      await writeAll(file, head).then(() => file.truncate(size)).finally(() => file.close());
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  /** It is complete: gives it its name. */
  async finish(): Promise<void> {
    const [fs] = await nodeModules();
    try {
      await fs.rename(this.part, this.path);
      this.#state = "over";
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  /** Removes it, unless it is complete. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "over";
    const [fs] = await nodeModules();
    await fs.rm(this.part, { force: true });
  }
}

/** Writes `bytes`, which may lie in shared memory, at `position` of a file, before it returns. */
export type WriteAt = (bytes: Uint8Array, position: number) => void;

/**
 * Writes to the existing file `part`, on any thread; errors speak of `path`. It is opened for each call, which is cheap
 * beside writing megabytes: nothing stays open when a thread is stopped.
 */
export async function writerAt(part: string, path: string): Promise<WriteAt> {
  const { closeSync, openSync, writeSync } = await import("node:fs");
  return (bytes, position) => {
    let file: number | undefined;
    try {
      file = openSync(part, "r+");
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(file, bytes, at, bytes.length - at, position + at);
        if (written === 0) throw new Error("the device takes no more bytes");
        at += written;
      }
    } catch (error) {
      throw writeError(path, error);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

/** Whether two paths lead to the same existing file. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [fs] = await nodeModules();
  const [one, other] = await Promise.all([a, b].map((path) => fs.realpath(path).catch(() => undefined)));
  return one !== undefined && one === other;
}

interface Writable {
  write(bytes: Uint8Array): Promise<{ bytesWritten: number }>;
}

async function writeAll(file: Writable, content: FileContent): Promise<number> {
  let bytes = 0;
  for await (const piece of content instanceof Uint8Array ? [content] : content) {
    for (let at = 0; at < piece.length;) {
      const { bytesWritten } = await file.write(piece.subarray(at));
      if (bytesWritten === 0) throw new Error("the device takes no more bytes");
      at += bytesWritten;
    }
    bytes += piece.length;
  }
  return bytes;
}

const REASONS: Readonly<Record<string, [ErrorCode, string]>> = {
  ENOENT: ["not-found", "its folder does not exist; make it first"],
  ENOTDIR: ["not-found", "a part of its path is a file, not a folder"],
  EISDIR: ["not-a-file", "a folder has this name; choose another"],
  EACCES: ["permission", "the folder may not be written to"],
  EPERM: ["permission", "the folder may not be written to"],
  EROFS: ["permission", "the file system is read-only"],
  ENOSPC: ["io", "the disk is full"],
  ENAMETOOLONG: ["invalid", "the name is too long"],
};

function writeError(path: string, cause: unknown): TilewiseError {
  if (isDenied(cause)) return deniedError(`Cannot write ${path}`, cause, { file: path });
  const { code, message } = cause as { code?: string; message?: string };
  const [kind, reason] = REASONS[code ?? ""] ?? ["io", message ?? String(cause)];
  const details = { file: path, found: code ?? "error" };
  return new TilewiseError(kind, `Cannot write ${path}: ${reason}`, details, { cause });
}
