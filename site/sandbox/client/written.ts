/**
 * Stands for `src/io/write/write.ts` in the sandbox: files are kept in memory, and handed to the page.
 *
 * @module
 */

import type { PendingFile } from "../../../src/io/write/write.ts";
import { keep } from "./files.ts";
import { tell } from "./tell.ts";

export type { PendingFile };

/** Keeps files that belong together; the number of bytes in each. */
export async function writeFilesAtomic(files: Iterable<PendingFile>): Promise<number[]> {
  const sizes: number[] = [];
  for (const { path, content } of files) {
    const bytes = await joined(await content());
    const file = new File([bytes], path);
    keep(path, () => file);
    sizes.push(bytes.length);
    tell({ kind: "file", name: path, bytes });
  }
  return sizes;
}

/** One piece after another, as copies: a piece may be overwritten when the next is made. */
async function joined(
  content: Awaited<ReturnType<PendingFile["content"]>>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) return new Uint8Array(content);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of content) pieces.push(new Uint8Array(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
