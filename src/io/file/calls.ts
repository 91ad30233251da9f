/**
 * The calls of the operating system that read files.
 *
 * In Deno its own calls are used: `node:fs` would take 4 MiB and some milliseconds in every worker that loads it, and twice
 * the time for the facts of a file, which are checked after the reads of each partition.
 *
 * @module
 */

import { type BigStats, factsOf, type FileFacts } from "./facts.ts";

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

/** The part of `node:fs` that is used. */
interface NodeFs {
  statSync(path: string, options: { bigint: true }): BigStats;
  lstatSync(path: string): { isSymbolicLink(): boolean };
  fstatSync(fd: number, options: { bigint: true }): BigStats;
  openSync(path: string, flags: "r"): number;
  readSync(fd: number, into: Uint8Array, start: number, length: number, position: number): number;
  closeSync(fd: number): void;
}

/** The module, loaded when it is first needed. */
function nodeFs(): NodeFs {
  const { process } = globalThis as unknown as { process: { getBuiltinModule(name: string): unknown } };
  return process.getBuiltinModule("node:fs") as NodeFs;
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
