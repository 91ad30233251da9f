/**
 * Whether files that exist may be written.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { writeError } from "./error.ts";

/**
 * Refuses files and folders that are write-protected, or that this process may not write to; those that are not there pass.
 * Errors name `target`: `permission`.
 */
export async function mustBeWritable(paths: readonly string[], target: string): Promise<void> {
  const { open, stat } = await import("node:fs/promises");
  for (const path of paths) {
    try {
      const facts = await stat(path);
      if ((facts.mode & 0o222) === 0) throw isProtected(path, target, facts.mode);
      // access() would ask Deno for the user's number; a folder that refuses says so when a file is made in it
      if (facts.isFile()) await (await open(path, "r+")).close();
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") continue;
      throw writeError(path, error);
    }
  }
}

function isProtected(path: string, target: string, mode: number): TilewiseError {
  const text =
    `Cannot write ${target}: ${path} is protected against writing; copy the set, or change its permissions`;
  return new TilewiseError("permission", text, { file: path, found: (mode & 0o777).toString(8) });
}
