/**
 * A folder of the user for what can be made again: read and written where this process may, silently not elsewhere.
 *
 * It never asks for a permission and never fails: a cache that is not there is a cache that is empty.
 *
 * @module
 */

import { writeFileAtomic } from "./write.ts";

/** What is used of Deno, where this is Deno. */
interface DenoLike {
  readonly permissions: { query(what: object): Promise<{ readonly state: string }> };
}

let chosen: string | undefined;

/** Uses `folder` from now on, on this thread; an empty name switches the cache off. */
export function setCacheFolder(folder: string): void {
  chosen = folder;
}

/** The entry `name`, or nothing. */
export async function readCache(name: string): Promise<Uint8Array | undefined> {
  const path = await cachePath(name, "read");
  if (path === undefined) return undefined;
  try {
    const { readFile } = await import("node:fs/promises");
    return await readFile(path);
  } catch {
    return undefined; // not there yet, or not for us
  }
}

/** Keeps `bytes` as the entry `name`, if that is possible; says whether it was. */
export async function writeCache(name: string, bytes: Uint8Array): Promise<boolean> {
  const path = await cachePath(name, "write");
  if (path === undefined) return false;
  try {
    const [{ mkdir }, { dirname }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, bytes);
    return true;
  } catch {
    return false; // full, read-only, or not for us
  }
}

/** Where the entry is, if this process may know and use it without asking anybody. */
async function cachePath(name: string, access: "read" | "write"): Promise<string | undefined> {
  const folder = await cacheFolder();
  if (folder === undefined) return undefined;
  return await isGranted({ name: access, path: folder }) ? `${folder}/${name}` : undefined;
}

/** The chosen folder, `TILEWISE_CACHE`, or `tilewise` in the place that the system has for caches. */
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

/** Whether something may be done without a question to the user; runtimes without permissions grant everything. */
async function isGranted(what: object): Promise<boolean> {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  return !deno || (await deno.permissions.query(what)).state === "granted";
}
