/**
 * Writes files so that a reader sees the old file or the whole new one, never a part.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../errors.ts";

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
  const [fs, { basename, dirname, join }, { pid }] = await nodeModules();
  const part = join(dirname(path), `.${basename(path)}.${pid}.${++writes}.part`);
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
  const { code, message } = cause as { code?: string; message?: string };
  const denied = (cause as Error)?.name === "NotCapable";
  const [kind, reason] = REASONS[denied ? "EACCES" : code ?? ""] ?? ["io", message ?? String(cause)];
  const hint = denied ? "this process may not write there; allow it with --allow-write" : reason;
  return new TilewiseError(kind, `Cannot write ${path}: ${hint}`, { file: path, found: code ?? "error" }, {
    cause,
  });
}
