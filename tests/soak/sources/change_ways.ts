/**
 * Ways in which somebody else changes a file.
 *
 * @module
 */

import type { Changing } from "./change_sources.ts";

/** Changes the file at `path`; the bytes that it has afterwards are not the old ones. */
export type Way = (path: string, file: Changing, random: () => number) => Promise<void>;

/** Every way, by name. */
export const WAYS: Readonly<Record<string, Way>> = {
  "overwritten piece by piece": (path, { now }, random) =>
    overwrite(path, now, 1 + Math.floor(random() * 40_000)),
  "overwritten at once": (path, { now }) => overwrite(path, now, now.length),
  "replaced by another file": (path, { now }) => replace(path, now),
  "replaced by another file with its time": async (path, { now }) => {
    const { mtime } = await Deno.stat(path);
    await Deno.writeFile(`${path}.new`, now);
    await Deno.utime(`${path}.new`, mtime!, mtime!);
    await Deno.rename(`${path}.new`, path);
  },
  "cut off": (path, { old }, random) => Deno.truncate(path, Math.floor(random() * old.length)),
  "grown and overwritten": async (path, { now }) => {
    await overwrite(path, now, now.length);
    await Deno.writeFile(path, new Uint8Array(4096), { append: true });
  },
  "written anew": (path, { now }) => Deno.writeFile(path, now), // empty for a moment
  "removed": (path) => Deno.remove(path),
  "overwritten with its time set back": async (path, { now }) => {
    const { mtime } = await Deno.stat(path);
    await overwrite(path, now, now.length);
    await Deno.utime(path, mtime!, mtime!);
  },
};

async function overwrite(path: string, bytes: Uint8Array, piece: number): Promise<void> {
  using file = await Deno.open(path, { write: true });
  for (let at = 0; at < bytes.length; at += piece) {
    await file.write(bytes.subarray(at, at + piece));
    if (piece < bytes.length) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

async function replace(path: string, bytes: Uint8Array): Promise<void> {
  await Deno.writeFile(`${path}.new`, bytes);
  await Deno.rename(`${path}.new`, path);
}
