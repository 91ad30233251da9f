/**
 * Gives several complete files their names, and takes away old ones that belong to none of them: all of this, or, when one step
 * fails, nothing.
 *
 * Meanwhile each old file has a second name, a hard link that is named like a part file. At every moment each path leads to a
 * complete file, the old or the new one. The links of a killed process are removed like its part files.
 *
 * @module
 */

import { type Clock, REAL_CLOCK } from "../../clock.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { isDenied, isGranted } from "../source/permission.ts";
import { NO_LINKS, writeCalls, writeError } from "./calls.ts";
import { holdPart, partPath, releasePart } from "./part_files.ts";

// One after another: who gives files their names, or takes names away, has their folders alone meanwhile.
//
// Within a thread by a queue, between threads and processes by a lock on the folders (`flock`), which the system takes back when
// a process ends. Deno has such locks, if it may read the folder; elsewhere, and on file systems without them, only those of one
// thread take turns.

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

/** A step of giving files their names: at `path` there is a new file afterwards, or none. */
export interface Naming {
  /** The path. */
  readonly path: string;
  /** Does it. */
  finish(): Promise<void>;
}

/**
 * Called when a result is complete, with the path that it has until it gets its name: makes what lies beside it, and says what
 * gets its name with it. If it throws, the result gets no name.
 */
export type Beside = (path: string) => Promise<readonly Naming[]>;

/** Takes the file at `path` away, if there is one. */
export function removal(path: string): Naming {
  const finish = async () => {
    try {
      await (await writeCalls()).remove(path);
    } catch (error) {
      throw writeError(path, error);
    }
  };
  return { path, finish };
}

/** The second name of an old file; `none`: there is no old file; `unkept`: it cannot have one. */
type Old = { readonly link: string } | "none" | "unkept";

/**
 * Takes all steps. When one fails, the old files before it get their names back, as far as the file system allows it; the error
 * names the files that are new nevertheless.
 */
export function finishTogether(parts: readonly Naming[]): Promise<void> {
  return inTurn(parts.map(({ path }) => path), () => takeSteps(parts)); // steps of two sets of the same names must not mix
}

/** The same inside of a turn, see {@link inTurn}. */
export async function takeSteps(parts: readonly Naming[]): Promise<void> {
  if (parts.length < 2) {
    for (const part of parts) await part.finish();
    return;
  }
  const old: Old[] = [];
  let done = 0;
  try {
    for (const { path } of parts) old.push(await keepOld(path));
    for (; done < parts.length; done++) await parts[done]!.finish();
  } catch (error) {
    throw told(error, await takeBack(parts.slice(0, done), old));
  } finally {
    for (const one of old) await forget(one);
  }
}

async function keepOld(path: string): Promise<Old> {
  const link = await partPath(path);
  try {
    await (await writeCalls()).link(path, link);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "ENOENT") return "none";
    if (isDenied(error) || NO_LINKS.includes(code)) return "unkept";
    throw writeError(path, error);
  }
  holdPart(link, { touch: false }); // that would change the time of the old file
  return { link };
}

/** Gives the old files their names back; returns the paths where this is impossible. */
async function takeBack(parts: readonly Naming[], old: readonly Old[]): Promise<string[]> {
  const { rename, remove } = await writeCalls();
  const left: string[] = [];
  for (const [i, { path }] of parts.entries()) {
    const one = old[i]!;
    try {
      if (one === "none") await remove(path);
      else if (one === "unkept") left.push(path);
      else await rename(one.link, path);
    } catch {
      left.push(path);
    }
  }
  return left;
}

async function forget(old: Old): Promise<void> {
  if (typeof old === "string") return;
  const { remove } = await writeCalls();
  await remove(old.link).catch(() => {}); // a later write removes it
  releasePart(old.link);
}

/** The error, with the paths that are new nevertheless. */
function told(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0 || !isTilewiseError(error)) return error;
  const text = `${error.message}; these are new already: ${left.join(", ")}`;
  return new TilewiseError(error.code, text, { ...error.details, replaced: left.join(", ") }, {
    cause: error,
  });
}
