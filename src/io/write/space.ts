/**
 * Whether there is room on a disk for what will be written.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";
import { isGranted } from "../source/permission.ts";

/**
 * Refuses to write `bytes` more to the folder `path` than its disk has left; errors name `target`. Where the system does not tell
 * (in Deno, without `--allow-sys`), nothing is refused: writing fails then when the disk is full.
 */
export async function mustHaveRoom(path: string, bytes: number, target: string): Promise<void> {
  const free = await freeBytes(path);
  if (free === undefined || bytes <= free) return;
  const text = `Cannot write ${target}: it needs ${formatBytes(bytes)}, the disk has ${
    formatBytes(free)
  } left; free some space`;
  throw new TilewiseError("io", text, { file: target, expected: bytes, found: free });
}

async function freeBytes(path: string): Promise<number | undefined> {
  if (!isGranted({ name: "sys", kind: "statfs" })) return undefined;
  const { statfs } = await import("node:fs/promises");
  const found = await statfs(path).catch(() => undefined);
  return found && found.bavail * found.bsize;
}
