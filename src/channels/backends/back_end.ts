/**
 * The seam of back ends: positional file I/O without cursors, which one file per platform provides.
 *
 * A back end on a platform whose files are asynchronous (files of a browser, HTTP) answers with promises, and only a runner can
 * wait for them. One whose functions all answer at once says so: the worker of a kernel may then call it directly.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type ErrorCode, isTilewiseError, TilewiseError } from "../../errors.ts";

/**
 * A value, or a promise of it: of functions that answer at once on some platforms.
 * @category Channels
 */
export type Awaitable<T> = T | Promise<T>;

/**
 * The mode of a file as `fopen` and `node:fs` write it.
 * @category Channels
 */
export type OpenFlags = "r" | "w" | "a" | "r+" | "w+" | "a+";

/**
 * What a back end knows of a name.
 * @category Channels
 */
export interface FileFacts {
  /** Bytes of a file, `Infinity` for a device without end, 0 for a directory. */
  readonly bytes: number;
  /** Whether it holds bytes or names. */
  readonly kind: "file" | "directory";
  /** When it was last written, in milliseconds since 1970; absent where the back end does not know. */
  readonly modified?: number;
}

/**
 * Times of a name, in nanoseconds since 1970.
 * @category Channels
 */
export interface NodeTimes {
  /** When it was last read. */
  readonly accessed: bigint;
  /** When it was last written. */
  readonly modified: bigint;
}

/**
 * What a back end with links knows of a name.
 * @category Channels
 */
export interface NodeFacts extends Omit<FileFacts, "kind"> {
  /** Whether it holds bytes or names, or leads to another name. */
  readonly kind: FileFacts["kind"] | "link";
  /** Equal for the names of one file and no other; 0 where the back end has no such numbers. */
  readonly number: bigint;
  /** How many names it has. */
  readonly links: number;
  /** Its times, and when these facts last changed. */
  readonly times: NodeTimes & {
    /** When these facts last changed, in nanoseconds since 1970. */
    readonly changed: bigint;
  };
}

/**
 * Positional file I/O without cursors; every function throws the error of its platform, or a `TilewiseError`. A name
 * is text of 1 … 1024 bytes in UTF-8 without NUL; who calls checks that.
 * @category Channels
 */
export interface BackEnd {
  /** Whether no function returns a promise, so that the worker of a kernel may call it. */
  readonly synchronous: boolean;
  /** Opens a file, never a directory; the result, at least 0, names it in the other calls. */
  open(name: string, flags: OpenFlags): Awaitable<number>;
  /** Closes a file. */
  close(file: number): Awaitable<void>;
  /** Bytes of a file; `Infinity` for a device without end, which reads and writes in its own order. */
  size(file: number): Awaitable<number>;
  /** Fills `bytes[at … at + length)` from byte `position` on; the bytes read are fewer at the end of the file. */
  read(file: number, bytes: Uint8Array, at: number, length: number, position: number): Awaitable<number>;
  /**
   * Writes `bytes[at … at + length)` at byte `position`; a gap between the end and `position` is filled with zeros. `null` writes
   * at the end of a file that was opened to append, and nobody else does. The bytes written are fewer when the device is full; none at all is an error.
   */
  write(
    file: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    position: number | null,
  ): Awaitable<number>;
  /** Makes sure that all that was written would survive a loss of power, as far as the platform can. */
  flush(file: number): Awaitable<void>;
  /** Makes a file `bytes` long: cuts its end off, or adds zeros. */
  truncate(file: number, bytes: number): Awaitable<void>;
  /** What a name stands for; a link is followed. */
  stat(name: string): Awaitable<FileFacts>;
  /** The names in a directory, without the way to it, in the order of their code units; `.` is the place where names start. */
  list(name: string): Awaitable<readonly string[]>;
  /** Removes a file, a link, or an empty directory. */
  remove(name: string): Awaitable<void>;
  /** Makes a directory in one that exists. */
  mkdir(name: string): Awaitable<void>;
  /**
   * Gives a file or a directory another name. As in POSIX a file replaces a file, and a directory replaces an empty directory, in
   * one step. Absent: the back end cannot do it.
   */
  rename?(from: string, to: string): Awaitable<void>;
  /** What a name stands for, and its times; the last link of the name is followed only if `follow`. Absent: there are no links. */
  look?(name: string, follow: boolean): Awaitable<NodeFacts>;
  /** Sets the times of a name, as finely as the runtime does it: of what {@link look} tells. Absent: the back end cannot do it. */
  setTimes?(name: string, times: NodeTimes, follow: boolean): Awaitable<void>;
  /** Gives a file, or a link itself, a second name. Absent: the back end cannot do it. */
  link?(from: string, to: string): Awaitable<void>;
  /**
   * Makes a link that leads to `text`, counted from the folder that it lies in: a relative path without `..`, so that it leads
   * out of no root, wherever it is moved. Absent: the back end cannot do it.
   */
  symlink?(text: string, name: string): Awaitable<void>;
  /** Where a link leads, unless that is a whole path of the host. Absent: the back end has no links. */
  readLink?(name: string): Awaitable<string>;
}

/** The same function without promises. */
type AtOnce<F> = F extends (...args: infer A) => infer R ? (...args: A) => Awaited<R> : F;

/** A back end whose functions all answer at once. */
export type SynchronousBackEnd =
  & { readonly [K in keyof Omit<BackEnd, "synchronous">]: AtOnce<BackEnd[K]> }
  & {
    /** All functions answer at once. */
    readonly synchronous: true;
  };

// Errors of back ends: what a file system would say, by the name it has in POSIX, as typed errors.

const CODES = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EISDIR: "not-a-file",
  EEXIST: "invalid",
  ENOTEMPTY: "invalid",
  EACCES: "permission",
  EROFS: "permission",
  EBADF: "invalid",
  EBUSY: "invalid",
  EINVAL: "invalid",
  ENOSPC: "io",
  ESHUTDOWN: "aborted",
  EIO: "io",
  EMFILE: "io",
  ENOTSUP: "unsupported",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** The name of an error in POSIX. */
export type Errno = keyof typeof CODES;

/** The error that a kernel sees as the status for `errno`; `details.errno` keeps the name. */
export function fileError(
  errno: Errno,
  text: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): TilewiseError {
  return new TilewiseError(CODES[errno], text, { ...details, errno }, defined({ cause }));
}

/** Whether `error` has this name in POSIX, wherever it comes from. */
export function isErrno(error: unknown, errno: Errno): boolean {
  if (isTilewiseError(error)) return error.details["errno"] === errno;
  return (error as { readonly code?: unknown } | undefined)?.code === errno;
}

// Names of files in stores that have folders of their own: texts with `/` between folders, from the root of the store.

/**
 * The parts of a name, without empty ones and `.`; none for the root. A leading `/` is the root as well.
 *
 * Errors: `permission` for a name with `..`, which would lead out of the folder it stands in.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(partsOf("/scans//./a.raw", "the memory of the host"), ["scans", "a.raw"]);
 * assertThrows(() => partsOf("../a.raw", "the memory of the host"), Error, '".." is not followed');
 * ```
 */
export function partsOf(name: string, root: string): string[] {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (!parts.includes("..")) return parts;
  const text = `Cannot use the name "${name}": ".." is not followed, as it could lead out of ${root}`;
  throw fileError("EACCES", text, { file: name, root });
}

/** The folder of a file, and its own name. Errors: `not-a-file` for the root. */
export function folderAndName(parts: readonly string[], root: string): [string[], string] {
  const own = parts.at(-1);
  if (own === undefined) throw fileError("EISDIR", `Cannot use ${root} as a file: it is a directory`);
  return [parts.slice(0, -1), own];
}
