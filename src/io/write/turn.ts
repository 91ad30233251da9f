/**
 * One after another: who gives files their names, or takes names away, has their folders alone meanwhile.
 *
 * Within a thread by a queue, between threads and processes by a lock on the folders (`flock`), which the system takes back when
 * a process ends. Deno has such locks, if it may read the folder; elsewhere, and on file systems without them, only those of one
 * thread take turns.
 *
 * @module
 */

import { type Clock, REAL_CLOCK } from "../../clock.ts";
import { TilewiseError } from "../../errors.ts";
import { isGranted } from "../source/permission.ts";

/** Milliseconds until a folder counts as held by a program that has stopped. A turn takes milliseconds. */
const PATIENCE = 60_000;

/** Milliseconds between two looks. */
const LOOK = 5;

/** A folder that can be locked. */
interface Folder {
  close(): void;
  tryLock(exclusive: boolean): Promise<boolean>;
  stat(): Promise<{ readonly dev: number; readonly ino: number | null }>;
}

/** The part of Deno that is used, if this is Deno. */
interface DenoLike {
  readonly build: { readonly os: string };
  open(path: string): Promise<Folder>;
}

let last: Promise<unknown> = Promise.resolve();

/** Does `work` while nobody else changes names in the folders of `paths`. Errors: `conflict`, and those of `work`. */
export function inTurn<T>(
  paths: readonly string[],
  work: () => Promise<T>,
  clock: Clock = REAL_CLOCK,
): Promise<T> {
  const own = last.then(() => alone(paths, work, clock));
  last = own.catch(() => {});
  return own;
}

async function alone<T>(paths: readonly string[], work: () => Promise<T>, clock: Clock): Promise<T> {
  const { dirname } = await import("node:path");
  const open: OpenFolder[] = [];
  try {
    for (const path of new Set(paths.map((one) => dirname(one)))) {
      const folder = await opened(path);
      if (folder) open.push({ folder, path, key: await keyOf(folder) });
    }
    for (const one of inOrder(open)) await lock(one, clock);
    return await work();
  } finally {
    for (const { folder } of open) folder.close(); // which ends its lock
  }
}

/** A folder that is open. */
interface OpenFolder {
  readonly folder: Folder;
  readonly path: string;
  /** What it is, by whatever path. */
  readonly key: string;
}

async function keyOf(folder: Folder): Promise<string> {
  const { dev, ino } = await folder.stat();
  return `${dev} ${ino}`;
}

/** Each folder once, and all programs lock them in the same order, so that no two wait for each other. */
function inOrder(open: readonly OpenFolder[]): readonly OpenFolder[] {
  const once = new Map(open.map((one) => [one.key, one]));
  return [...once.values()].sort((a, b) => a.key < b.key ? -1 : 1);
}

/** The folder, if it can be opened here. */
async function opened(path: string): Promise<Folder | undefined> {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  if (!deno || deno.build.os === "windows" || !isGranted({ name: "read", path })) return undefined;
  return await deno.open(path).catch(() => undefined); // who writes there finds out
}

async function lock({ folder, path }: OpenFolder, clock: Clock): Promise<void> {
  const until = clock.now() + PATIENCE;
  while (!await folder.tryLock(true).catch(() => true)) { // not every file system has locks
    if (clock.now() > until) {
      const text = `Cannot give files in ${path} their names: another program has locked this folder for ` +
        `${PATIENCE / 1000} s; end it, or write to another folder`;
      throw new TilewiseError("conflict", text, { path });
    }
    await clock.sleep(LOOK);
  }
}
