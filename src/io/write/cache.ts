/**
 * A cache folder of the user, for data that can be made again. It is used if this process may use it, and silently left out
 * otherwise.
 *
 * It never asks for a permission and never fails: without a folder the cache is empty.
 *
 * @module
 */

import { isGranted } from "../source/permission.ts";
import { writeFileAtomic } from "./write.ts";

let chosen: string | undefined;

/** Uses `folder` from now on, on this thread; an empty name switches the cache off. */
export function setCacheFolder(folder: string): void {
  chosen = folder;
}

/** The entry `name`, if there is one. */
export async function readCache(name: string): Promise<Uint8Array | undefined> {
  const path = cachePath(name, "read");
  if (path === undefined) return undefined;
  try {
    const { readFile } = await import("node:fs/promises");
    return await readFile(path);
  } catch {
    return undefined; // it does not exist, or may not be read
  }
}

/** Stores `bytes` as the entry `name`, if possible; returns whether it was stored. */
export async function writeCache(name: string, bytes: Uint8Array): Promise<boolean> {
  const path = cachePath(name, "write");
  if (path === undefined) return false;
  try {
    const [{ mkdir }, { dirname }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, bytes);
    return true;
  } catch {
    return false; // full, read-only, or not permitted
  }
}

/** The path of the entry, if this process may know and use it without asking the user. */
function cachePath(name: string, access: "read" | "write"): string | undefined {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  return isGranted({ name: access, path: folder }) ? `${folder}/${name}` : undefined;
}

/** The chosen folder, that of `TILEWISE_CACHE`, or `tilewise` in the cache folder of the system. */
function cacheFolder(): string | undefined {
  if (typeof globalThis.process?.versions?.node !== "string") return undefined; // a page
  const own = chosen ?? environment("TILEWISE_CACHE");
  if (own !== undefined) return own || undefined;
  const known = environment("XDG_CACHE_HOME") ?? environment("LOCALAPPDATA");
  const home = known ? undefined : environment("HOME");
  const base = known || (home && `${home}/.cache`);
  return base ? `${base}/tilewise` : undefined;
}

function environment(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? globalThis.process.env[variable] : undefined;
}
