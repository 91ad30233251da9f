/**
 * Writes files so that a reader sees the old file or the whole new one, never a part.
 *
 * @module
 */

import { type FileContent, PartFile } from "./part_file.ts";
import { finishTogether, removal } from "./together.ts";

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
 * Writes files that belong together: first all of them to part files, then each gets its name, and the files at `gone` are
 * removed. On any failure all files are as they were before.
 *
 * @returns the number of bytes in each
 */
export async function writeFilesAtomic(
  files: Iterable<PendingFile>,
  gone: readonly string[] = [],
): Promise<number[]> {
  await using parts = new PartFiles();
  const sizes = await parts.fill(files);
  await finishTogether([...parts.all, ...gone.map(removal)]);
  return sizes;
}

/** Complete files without their names; those that have none when it is disposed of are removed. */
export class PartFiles implements AsyncDisposable {
  /** The files so far. */
  readonly all: PartFile[] = [];

  /** Writes files; returns the number of bytes in each. */
  async fill(files: Iterable<PendingFile>): Promise<number[]> {
    const sizes: number[] = [];
    for (const { path, content } of files) {
      const part = await PartFile.at(path);
      this.all.push(part);
      sizes.push(await part.fill(await content()));
    }
    return sizes;
  }

  /** Removes those without names. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.all) await part[Symbol.asyncDispose]();
  }
}
