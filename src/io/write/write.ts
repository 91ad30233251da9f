/**
 * Writes files so that a reader sees the old file or the whole new one, never a part.
 *
 * @module
 */

import { type FileContent, PartFile } from "./part_file.ts";
import { finishTogether } from "./together.ts";

/** A file to write. */
export interface PendingFile {
  /** Its path. */
  readonly path: string;
  /** Makes its contents, just before it is written. */
  content(): FileContent | Promise<FileContent>;
}

/**
 * Writes `content` to a hidden part file beside `path` and renames it; on any failure the part file is removed
 * and `path` is as it was.
 *
 * @returns the number of bytes written
 */
export async function writeFileAtomic(path: string, content: FileContent): Promise<number> {
  const [bytes] = await writeFilesAtomic([{ path, content: () => content }]);
  return bytes!;
}

/**
 * Writes files that belong together: first all of them to part files, then each gets its name. On any failure all files
 * are as they were before.
 *
 * @returns the number of bytes in each
 */
export async function writeFilesAtomic(files: Iterable<PendingFile>): Promise<number[]> {
  const parts: PartFile[] = [];
  const sizes: number[] = [];
  try {
    for (const { path, content } of files) {
      const part = await PartFile.at(path);
      parts.push(part);
      sizes.push(await part.fill(await content()));
    }
    await finishTogether(parts);
    return sizes;
  } finally {
    for (const part of parts) await part[Symbol.asyncDispose]();
  }
}
