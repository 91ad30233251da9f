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
  const { access, constants, stat } = await import("node:fs/promises");
  for (const path of paths) {
    try {
      const { mode } = await stat(path);
      if ((mode & 0o222) === 0) throw isProtected(path, target, mode);
      await access(path, constants.W_OK);
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
