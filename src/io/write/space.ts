/**
 * Whether there is room on a disk for what will be written, and whether files may be replaced.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";
import { isGranted } from "../source/permission.ts";
import { writeError } from "./calls.ts";

/**
 * Refuses to write `bytes` more to the folder `path` than its disk has left; errors name `target`. Where the system does not tell
 * (in Deno, without `--allow-sys`), nothing is refused: writing fails then when the disk is full.
 */
export async function mustHaveRoom(path: string, bytes: number, target: string): Promise<void> {
  const free = await freeBytes(path);
  if (free === undefined || bytes <= free) return;
  const text = `it needs ${formatBytes(bytes)}, the disk has ${formatBytes(free)} left; free some space`;
  throw cannot("write", target, "io", text, { expected: bytes, found: free });
}

async function freeBytes(path: string): Promise<number | undefined> {
  if (!isGranted({ name: "sys", kind: "statfs" })) return undefined;
  const { statfs } = await import("node:fs/promises");
  const found = await statfs(path).catch(() => undefined);
  return found && found.bavail * found.bsize;
}

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
