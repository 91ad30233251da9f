/**
 * Part files: the names of files and folders while they are written, and the removal of those that are never finished.
 *
 * ```
 * .scan.npy.tw-4711-0f3c9a1b5d7e2468.part      hidden, beside its file: process 4711, a random number
 * ```
 * A process that is killed leaves its part files. The next write to their folder removes files with names of this form that
 * were not written to for {@link STALE_AFTER} and whose process has ended. A process touches its own part files every minute.
 *
 * @module
 */

import { isGranted } from "../source/permission.ts";

/** Milliseconds without a write after which a part file of an ended process is removed. */
export const STALE_AFTER = 3_600_000;
/** The same, if this process may not find out whether the other process lives. */
const UNKNOWN_STALE_AFTER = 24 * STALE_AFTER;
/** Milliseconds between two touches. */
const BEAT = 60_000;
/** Milliseconds after which a folder is searched again. */
const LOOK_AGAIN = 600_000;

const NAME = /^\..*\.tw-(\d+)-[0-9a-f]{16}\.part$/s;

/** The part files of this thread, and whether they are touched. */
const open = new Map<string, boolean>();
const looked = new Map<string, number>();
let beat: ReturnType<typeof setInterval> | undefined;

/** Sixteen hexadecimal digits by chance. */
export function randomDigits(): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A unique name for the part file of `path`. Call {@link holdPart} when the file has been made. */
export async function partPath(path: string): Promise<string> {
  const [{ basename, dirname, join }, { pid }] = await nodeModules();
  await removeStaleParts(dirname(path));
  const digits = randomDigits();
  const stem = [...basename(path)].slice(0, 40).join(""); // the whole name may be as long as names can be
  return join(dirname(path), `.${stem}.tw-${pid}-${digits}.part`);
}

/** Most symbolic links that lead to one file, as in Linux. */
const MOST_LINKS = 40;

/**
 * The file or folder that is written for `path`: what lies behind a symbolic link of this name, which stays; it need not be there
 * yet.
 */
export async function behindLinks(path: string): Promise<string> {
  const [{ dirname, resolve }, , fs] = await nodeModules();
  let at = path;
  for (let i = 0; i < MOST_LINKS; i++) {
    const found = await fs.readlink(at).catch(() => undefined); // no link, or nothing there
    if (found === undefined) return at;
    at = resolve(dirname(at), found);
  }
  return path; // a circle, or no permission: the system says what is wrong
}

/** Makes this thread the owner of the part file `part`: it is touched (unless `touch` is false), and removed when the process ends. */
export function holdPart(part: string, { touch = true } = {}): void {
  open.set(part, touch);
  beat ??= everyMinute(() => void touchAll());
}

/** Notes that the part file has got its final name or was removed. */
export function releasePart(part: string): void {
  open.delete(part);
  if (open.size > 0) return;
  clearInterval(beat);
  beat = undefined;
}

/** The part files and folders that this thread is writing; a process that ends early has to remove them. */
export function heldParts(): readonly string[] {
  return [...open.keys()];
}

/** Removes part files of killed processes from `folder`; those that cannot be checked or removed stay. */
export async function removeStaleParts(folder: string, now: number = Date.now()): Promise<void> {
  if (now - (looked.get(folder) ?? -Infinity) < LOOK_AGAIN) return;
  looked.set(folder, now);
  const [{ join }, , fs] = await nodeModules();
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const facts = await fs.lstat(path).catch(() => undefined);
    if (!(facts?.isFile() || facts?.isDirectory()) || open.has(path)) continue;
    if (!await isStale(Number(pid), facts.mtimeMs, now)) continue;
    await fs.rm(path, { force: true, recursive: true }).catch(() => {});
  }
}

/** Whether a part file that was last written at `written` has no owner any more. */
async function isStale(owner: number, written: number, now: number): Promise<boolean> {
  if (now - written < STALE_AFTER) return false;
  const [, { kill, pid }] = await nodeModules();
  if (owner === pid) return written < performance.timeOrigin; // process numbers are reused
  if (!isGranted({ name: "run" })) return now - written >= UNKNOWN_STALE_AFTER;
  try {
    kill(owner, 0); // only checks that the process exists
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "ESRCH";
  }
}

/** Loaded when first needed, so that browsers can import this file. */
function nodeModules() {
  return Promise.all([import("node:path"), import("node:process"), import("node:fs/promises")]);
}

/** A timer that keeps no process alive. */
function everyMinute(call: () => void): ReturnType<typeof setInterval> {
  const timer: unknown = setInterval(call, BEAT);
  const { Deno: deno } = globalThis as { Deno?: { unrefTimer(id: unknown): void } };
  if (deno) deno.unrefTimer(timer);
  else (timer as { unref?(): void }).unref?.();
  return timer as ReturnType<typeof setInterval>;
}

async function touchAll(): Promise<void> {
  const [, , fs] = await nodeModules();
  const now = new Date();
  for (const [part, touch] of open) if (touch) await fs.utimes(part, now, now).catch(() => {});
}
