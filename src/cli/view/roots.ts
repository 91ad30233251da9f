/**
 * Files that a server may read: only regular ones, only below the declared folders, whatever links lead elsewhere.
 *
 * A path is looked at again after its file was opened, so that nobody can put a link there in between.
 *
 * @module
 */

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
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
  if (!await isFileInside(path, roots)) return undefined;
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const facts = await handle.stat({ bigint: true });
    if (facts.isFile() && await isFileInside(path, roots, facts)) {
      return { handle, version: versionOf(facts) };
    }
  } catch {
    // it has gone meanwhile
  }
  await handle.close();
  return undefined;
}

/** Whether `path` leads to a regular file inside of `roots`; to the file with the facts `opened`, if they are given. */
async function isFileInside(path: string, roots: readonly string[], opened?: BigIntStats): Promise<boolean> {
  try {
    const real = await realpath(path);
    const isBelow = roots.some((root) =>
      real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
    );
    if (!isBelow) return false;
    const facts = await stat(real, { bigint: true });
    return facts.isFile() && (!opened || (facts.ino === opened.ino && facts.dev === opened.dev));
  } catch {
    return false;
  }
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
