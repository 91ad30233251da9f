/**
 * A cache folder of the user, for data that can be made again. It is used if this process may use it, and silently left out
 * otherwise.
 *
 * It never asks for a permission and never fails: without a folder the cache is empty.
 *
 * @module
 */

import { writeFileAtomic } from "./write.ts";

/** The part of Deno that is used, if this is Deno. */
interface DenoLike {
  readonly permissions: { query(what: object): Promise<{ readonly state: string }> };
}

let chosen: string | undefined;

/** Uses `folder` from now on, on this thread; an empty name switches the cache off. */
export function setCacheFolder(folder: string): void {
  chosen = folder;
}

/** The entry `name`, if there is one. */
export async function readCache(name: string): Promise<Uint8Array | undefined> {
  const path = await cachePath(name, "read");
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
  const path = await cachePath(name, "write");
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
async function cachePath(name: string, access: "read" | "write"): Promise<string | undefined> {
  const folder = await cacheFolder();
  if (folder === undefined) return undefined;
  return await isGranted({ name: access, path: folder }) ? `${folder}/${name}` : undefined;
}

/** The chosen folder, that of `TILEWISE_CACHE`, or `tilewise` in the cache folder of the system. */
async function cacheFolder(): Promise<string | undefined> {
  if (typeof globalThis.process?.versions?.node !== "string") return undefined; // a page
  const own = chosen ?? await environment("TILEWISE_CACHE");
  if (own !== undefined) return own || undefined;
  const known = await environment("XDG_CACHE_HOME") ?? await environment("LOCALAPPDATA");
  const home = known ? undefined : await environment("HOME");
  const base = known || (home && `${home}/.cache`);
  return base ? `${base}/tilewise` : undefined;
}

async function environment(variable: string): Promise<string | undefined> {
  return await isGranted({ name: "env", variable }) ? globalThis.process.env[variable] : undefined;
}

/** Whether something may be done without asking the user; runtimes without permissions grant everything. */
async function isGranted(what: object): Promise<boolean> {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  return !deno || (await deno.permissions.query(what)).state === "granted";
}
