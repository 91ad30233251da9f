/**
 * Facts that tell two states of a file apart, and two files of the same name, without reading their contents.
 *
 * @module
 */

import type { BigIntStats } from "node:fs";
import { nodeModule } from "../../portable.ts";
import { defined } from "../../options.ts";
import type { TilewiseError } from "../../errors.ts";
import { changedError, type FileSpec } from "../source/source.ts";

/** What identifies the contents of a file without reading them. */
export interface FileFacts {
  /** Bytes in it. */
  readonly size: number;
  /** Time of its last change, in milliseconds. */
  readonly modified: number;
  /** Time of the last change of its facts, in milliseconds, if the system gives it. */
  readonly touched?: number;
  /** Device and number, if the system gives them. */
  readonly id?: string;
  /** How many names it has, if the system gives it. */
  readonly links?: number;
  /** What it is. */
  readonly kind: "file" | "directory" | "other";
}

/** The facts from those of the operating system; there, zeros stand for unknown values. */
function factsOf(stats: BigIntStats): FileFacts {
  const { size, mtimeNs, ctimeNs, ino, dev, nlink } = stats;
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
  return {
    size: Number(size),
    modified: milliseconds(mtimeNs),
    ...(ctimeNs ? { touched: milliseconds(ctimeNs) } : {}),
    ...(ino ? { id: `${dev ?? 0n}:${ino}` } : {}),
    ...(nlink ? { links: Number(nlink) } : {}),
    kind,
  };
}

/** Nanoseconds as milliseconds with a fraction: exact for whole milliseconds, else to a quarter of a microsecond. */
function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

/** The description of a file at `path` with these facts. */
export function specOf(path: string, { size, modified, touched, id, links }: FileFacts): FileSpec {
  return {
    kind: "file",
    path,
    size,
    modified,
    ...defined({ touched, id, links }),
  };
}

/** Throws `changed` unless a file has the facts that it had when it was opened; `undefined`: it does not exist any more. */
export function compareFacts(spec: FileSpec, now: FileFacts | undefined): void {
  const { size, modified, touched, id, links } = spec;
  if (now?.kind !== "file") throw changed(spec, now, "it", "a file", now ? "not a file" : "gone");
  if (id !== undefined && now.id !== undefined && id !== now.id) {
    throw changed(spec, now, "the file of this name", `number ${id}`, `number ${now.id}`);
  }
  if (now.size !== size) throw changed(spec, now, "size", size, now.size);
  if (modified !== undefined && now.modified !== modified) {
    throw changed(spec, now, "time of change", isoTime(modified), isoTime(now.modified));
  }
  const isLinked = links !== undefined && now.links !== undefined && now.links !== links; // another name was made or removed, which touches the file
  if (touched !== undefined && now.touched !== undefined && now.touched !== touched && !isLinked) {
    const what = "time at which contents, name or permissions were touched";
    throw changed(spec, now, what, isoTime(touched), isoTime(now.touched));
  }
}

/** The error, with size and time of both states in its details. */
function changed(
  { path, size, modified }: FileSpec,
  now: FileFacts | undefined,
  what: string,
  expected: string | number,
  found: string | number,
): TilewiseError {
  const was = { size, ...(modified === undefined ? {} : { modified: isoTime(modified) }) };
  const is = now ? { size: now.size, modified: isoTime(now.modified) } : {};
  return changedError(path, what, expected, found, { was, is });
}

/** A time in milliseconds with its fraction, so that two different times look different. */
function isoTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const rest = Math.round((milliseconds - whole) * 1e6);
  const text = Number.isFinite(whole) && Math.abs(whole) <= 8.64e15
    ? new Date(whole).toISOString()
    : `${whole} ms`;
  return rest === 0 ? text : text.replace(/Z$/, `${String(rest).padStart(6, "0")}Z`);
}

// The calls of the operating system that read files.
//
// In Deno its own calls are used: `node:fs` would take 4 MiB and some milliseconds in every worker that loads it, and twice
// the time for the facts of a file, which are checked after the reads of each partition.

/** The calls that a source over a file makes; tests replace them by failing ones. */
export interface FileCalls {
  /** Facts of the file at `path`; follows links. */
  stat(path: string): FileFacts;
  /** Whether `path` is a symbolic link. */
  isLink?(path: string): boolean;
  /** Opens `path` for reading. */
  open(path: string): number;
  /** Facts of an open file. */
  fstat(fd: number): FileFacts;
  /** Reads at most `length` bytes at `position` into `into` from its byte `start`; the bytes read, 0 at the end. */
  read(fd: number, into: Uint8Array, start: number, length: number, position: number): number;
  /** Closes an open file. */
  close(fd: number): void;
  /** Blocks this thread for a few milliseconds, between attempts. */
  pause(milliseconds: number): void;
}

/** The module, loaded when it is first needed. */
function nodeFs() {
  return nodeModule("node:fs")!;
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The calls of Node. On Windows they give more facts about a file, and their errors say better what is wrong with a path. */
const NODE_CALLS: FileCalls = {
  stat: (path) => factsOf(nodeFs().statSync(path, { bigint: true })),
  isLink: (path) => nodeFs().lstatSync(path).isSymbolicLink(),
  open: (path) => nodeFs().openSync(path, "r"),
  fstat: (fd) => factsOf(nodeFs().fstatSync(fd, { bigint: true })),
  read: (fd, into, start, length, position) => nodeFs().readSync(fd, into, start, length, position),
  close: (fd) => nodeFs().closeSync(fd),
  pause,
};

/** The open files of this thread, by numbers that are given here. */
const files = new Map<number, Deno.FsFile>();
let lastNumber = 0;

/** The calls of Deno. */
const DENO_CALLS: FileCalls = {
  stat: (path) => quickFacts(path) ?? NODE_CALLS.stat(path),
  isLink: (path) => Deno.lstatSync(path).isSymlink,
  open(path) {
    files.set(++lastNumber, Deno.openSync(path));
    return lastNumber;
  },
  fstat: (fd) => factsIn(files.get(fd)!.statSync()),
  read(fd, into, start, length, position) {
    const file = files.get(fd)!;
    file.seekSync(position, Deno.SeekMode.Start); // no other code uses this open file
    return file.readSync(into.subarray(start, start + length)) ?? 0;
  },
  close(fd) {
    files.get(fd)!.close();
    files.delete(fd);
  },
  pause,
};

/** The calls of the operating system. */
export const SYSTEM_CALLS: FileCalls = "Deno" in globalThis && Deno.build.os !== "windows"
  ? DENO_CALLS
  : NODE_CALLS;

/** The facts of a file, as from `node:fs`; `undefined` on failure, as `node:fs` then gives a better error. */
function quickFacts(path: string): FileFacts | undefined {
  try {
    const found = Deno.statSync(path);
    return found.isFile && found.mtime && found.ctime && found.ino ? factsIn(found) : undefined;
  } catch {
    return undefined;
  }
}

function factsIn({ size, mtime, ctime, ino, dev, nlink, isFile, isDirectory }: Deno.FileInfo): FileFacts {
  return {
    size,
    modified: mtime?.getTime() ?? 0,
    ...(ctime ? { touched: ctime.getTime() } : {}),
    ...(ino ? { id: `${BigInt(dev)}:${BigInt(ino)}` } : {}),
    ...(nlink ? { links: nlink } : {}),
    kind: isFile ? "file" : isDirectory ? "directory" : "other",
  };
}
