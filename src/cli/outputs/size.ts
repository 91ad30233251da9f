/**
 * Sizes of what was written.
 *
 * @module
 */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of a file, or of all files in a folder. */
export async function bytesOf(path: string): Promise<number> {
  const facts = await stat(path);
  if (!facts.isDirectory()) return facts.size;
  let sum = 0;
  for (const name of await readdir(path)) sum += await bytesOf(join(path, name));
  return sum;
}
