/**
 * Files that a server may read: only regular ones, only below the declared folders, whatever links lead elsewhere.
 *
 * Where a file lies is asked again after it was opened, so that nobody can put a link there in between.
 *
 * @module
 */

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { system } from "../shell/system.ts";
import type { Version } from "./ranges.ts";

/** Most characters of a key. */
const MOST_CHARACTERS = 4096;

/** Names that mean devices on Windows, in every folder and with every ending. */
const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * The key that a part of a request's path means: names between slashes. `undefined`: it is none, because it leads elsewhere, is
 * encoded twice, or has characters that no name may have.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(keyOf("0/c/1/%C3%A4.bin"), "0/c/1/ä.bin");
 * assertEquals([keyOf("../a"), keyOf("%2e%2e/a"), keyOf("a%2fb"), keyOf("a//b"), keyOf("")], Array(5).fill(undefined));
 * ```
 */
export function keyOf(path: string): string | undefined {
  if (path === "" || path.length > MOST_CHARACTERS) return undefined;
  try {
    const names = path.split("/").map(decodeURIComponent);
    return names.every(isName) ? names.join("/") : undefined;
  } catch {
    return undefined; // percent signs that encode no characters
  }
}

/** Whether a name is one of a file or folder inside of a folder, on this and on other systems. */
function isName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  if (/[/\\\p{Cc}\p{Cs}]/u.test(name) || /%(2e|2f|5c|00)/i.test(name)) return false;
  return system.platform !== "windows" || !(/[<>:"|?*]|[. ]$/.test(name) || DEVICES.test(name));
}

/** An open file that may be read. */
export interface OpenFile {
  /** Its handle; whoever opened it closes it. */
  readonly handle: FileHandle;
  /** Its version when it was opened. */
  readonly version: Version;
}

/** The file at `path` if it is a regular file that lies below one of `roots`, or is one of them; else `undefined`. */
export async function openInside(path: string, roots: readonly string[]): Promise<OpenFile | undefined> {
  try {
    const real = await realpath(path);
    if (!isBelow(real, roots) || !(await lstat(real)).isFile()) return undefined; // opening a pipe would wait
    const handle = await open(
      real,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    );
    const facts = await handle.stat({ bigint: true });
    if (facts.isFile() && await liesBelow(handle, facts, real, roots)) {
      return { handle, version: versionOf(facts) };
    }
    await handle.close();
  } catch {
    // it is not there, or may not be read, or has gone meanwhile
  }
  return undefined;
}

/** Whether an open file lies below `roots`: folders on the way to it may have become links since its path was looked at. */
async function liesBelow(
  handle: FileHandle,
  { ino, dev }: BigIntStats,
  real: string,
  roots: readonly string[],
): Promise<boolean> {
  const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (place !== undefined) return isBelow(place, roots); // the system knows which file it has opened
  const now = await lstat(real, { bigint: true });
  return now.ino === ino && now.dev === dev && await realpath(real) === real;
}

/** Whether a real path is one of `roots`, or below one. */
export function isBelow(real: string, roots: readonly string[]): boolean {
  return roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** The version of a file: size, both times, number. */
export function versionOf({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): Version {
  const etag = `"${[size, mtimeNs, ctimeNs, ino, dev].map((n) => n.toString(36)).join("-")}"`;
  return { size: Number(size), etag, modified: Number(mtimeNs / 1_000_000n) };
}

/** The path of a key in a folder. */
export function pathIn(folder: string, key: string): string {
  return join(folder, ...key.split("/"));
}
