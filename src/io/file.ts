/**
 * A byte source over a file: positional reads straight into the target, shared WebAssembly memory included.
 *
 * The only module of `io` that needs a file system; `open.ts` loads it when a path is opened, so that a browser
 * never sees it.
 *
 * @module
 */

import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import { codeOf, fileError } from "./file_error.ts";
import { noteOpened } from "./opened.ts";
import { type ByteSource, changedError, checkRead, closedError, type FileSpec } from "./source.ts";

/** What identifies the contents of a file without reading them. */
export interface FileFacts {
  /** Bytes in it. */
  readonly size: number;
  /** Time of its last change, in milliseconds. */
  readonly modified: number;
  /** What it is. */
  readonly kind: "file" | "directory" | "other";
}

/** The calls that a {@link FileSource} makes; tests give it others that fail. */
export interface FileCalls {
  /** Facts of the file at `path`; follows links. */
  stat(path: string): FileFacts;
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

/** The calls of the operating system. */
export const SYSTEM_CALLS: FileCalls = {
  stat: (path) => factsOf(statSync(path)),
  open: (path) => openSync(path, "r"),
  fstat: (fd) => factsOf(fstatSync(fd)),
  read: (fd, into, start, length, position) => readSync(fd, into, start, length, position),
  close: (fd) => closeSync(fd),
  pause: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

/** Most bytes of one call: the operating systems stop just below 2 GiB. */
const MOST = 2 ** 30;

/** Pauses in milliseconds before the second, third and fourth attempt of a read that may succeed next time. */
const PAUSES = [1, 10, 100];

const TRANSIENT = new Set(["EINTR", "EAGAIN", "EIO", "ETIMEDOUT"]);

/**
 * A file as a source. Opening looks at its facts only; the first read opens it and checks that it still has them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fromFileUrl } from "@std/path";
 * await using source = FileSource.open(fromFileUrl(import.meta.url));
 * const into = new Uint8Array(new SharedArrayBuffer(3));
 * source.readInto(into, 0);
 * assertEquals(into.length, 3);
 * ```
 */
export class FileSource implements ByteSource {
  /** The path. */
  readonly name: string;
  /** Bytes in the file when it was opened. */
  readonly size: number;
  #fd: number | undefined;
  #closed = false;

  private constructor(private readonly spec: FileSpec, private readonly calls: FileCalls) {
    this.name = spec.path;
    this.size = spec.size;
    noteOpened(spec.path);
  }

  /** The file at `path`, with the size and time of change that it has now. */
  static open(path: string, calls: FileCalls = SYSTEM_CALLS): FileSource {
    const facts = regular(path, attempt(path, () => calls.stat(path)));
    return new FileSource({ kind: "file", path, size: facts.size, modified: facts.modified }, calls);
  }

  /** The file that `spec` describes; `changed` when it is not the same any more. */
  static reopen(spec: FileSpec, calls: FileCalls = SYSTEM_CALLS): FileSource {
    compare(spec, regular(spec.path, attempt(spec.path, () => calls.stat(spec.path))));
    return new FileSource(spec, calls);
  }

  /** Fills `into` at once; blocks this thread for as long as the file system takes. */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void {
    if (this.#closed) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    const fd = this.#fd ??= this.#openChecked();
    let done = 0;
    while (done < into.byteLength) {
      const got = this.#readSome(fd, into, done, at + done);
      if (got === 0) throw this.#endsEarly(fd, at, into.byteLength, done);
      done += got;
    }
  }

  /** Compares size and time of change with those at opening. */
  verify(): Promise<void> {
    if (this.#closed) return Promise.reject(closedError(this.name));
    return new Promise((resolve) => resolve(compare(this.spec, this.#facts())));
  }

  /** Path, size and time of change. */
  describe(): FileSpec {
    return this.spec;
  }

  /** Closes the file. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    if (this.#fd !== undefined) this.calls.close(this.#fd);
    this.#fd = undefined;
    return Promise.resolve();
  }

  /** The facts of the open file, which are those of the bytes we read even if its name now means another file. */
  #facts(): FileFacts {
    const { path } = this.spec;
    return attempt(path, () => this.#fd === undefined ? this.calls.stat(path) : this.calls.fstat(this.#fd));
  }

  #openChecked(): number {
    const { path } = this.spec;
    const fd = attempt(path, () => this.calls.open(path));
    try {
      compare(this.spec, attempt(path, () => this.calls.fstat(fd)));
      return fd;
    } catch (error) {
      this.calls.close(fd);
      throw error;
    }
  }

  #readSome(fd: number, into: Uint8Array, start: number, position: number): number {
    const length = Math.min(MOST, into.byteLength - start);
    for (let tries = 0;; tries++) {
      try {
        return this.calls.read(fd, into, start, length, position);
      } catch (error) {
        if (tries >= PAUSES.length || !TRANSIENT.has(codeOf(error))) {
          throw fileError(this.name, error, position);
        }
        this.calls.pause(PAUSES[tries]!);
      }
    }
  }

  #endsEarly(fd: number, offset: number, expected: number, found: number): TilewiseError {
    const { size } = attempt(this.name, () => this.calls.fstat(fd));
    if (size !== this.size) return changedError(this.name, "size", this.size, size);
    const text = `Cannot read ${expected} bytes at ${offset} of ${this.name}: they end after ${found}`;
    return new TilewiseError("truncated", text, { file: this.name, offset, expected, found });
  }
}

function factsOf(stats: Stats): FileFacts {
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
  return { size: stats.size, modified: stats.mtimeMs, kind };
}

function regular(path: string, facts: FileFacts): FileFacts {
  if (facts.kind === "file") return facts;
  const what = facts.kind === "directory" ? "a directory" : "a pipe or a device";
  throw new TilewiseError("not-a-file", `Cannot open ${path}: it is ${what}, not a file`, {
    file: path,
    expected: "a file",
    found: what,
  });
}

function compare({ path, size, modified }: FileSpec, now: FileFacts): void {
  if (now.size !== size) throw changedError(path, "size", size, now.size);
  if (modified !== undefined && now.modified !== modified) {
    throw changedError(path, "time of change", isoTime(modified), isoTime(now.modified));
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function attempt<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw fileError(path, error);
  }
}

/** A file in a folder. */
export interface Sibling {
  /** Its name. */
  readonly name: string;
  /** Its path, made from the path of the file beside it. */
  readonly path: string;
}

/** The files in the folder of `path`, itself among them, by name; what links point to is not looked at. */
export function listSiblings(path: string): Sibling[] {
  const folder = dirname(path);
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name).sort();
  return names.map((name) => ({ name, path: join(folder, name) }));
}

/**
 * The path of the file `name`, which the file at `path` names, if it lies in the folder of that or below, or below `root`.
 * Symbolic links are followed before that is judged. Errors: `invalid` (with the option `root` in its details) for what
 * lies elsewhere, `not-found`, `permission`.
 */
export function pathInside(path: string, name: string, root?: string): string {
  const folder = realFolder(dirname(path));
  const own = attempt(path, () => realpathSync(path));
  const roots = [folder, dirname(own), ...(root === undefined ? [] : [realOf(root)])];
  const isBelow = (place: string) =>
    roots.some((one) => place.startsWith(one.endsWith(sep) ? one : `${one}${sep}`));
  const wanted = resolve(folder, name);
  if (!isBelow(wanted)) throw outside(path, name, wanted); // nobody learns whether it is there
  const real = realOf(wanted);
  if (!isBelow(real)) throw outside(path, name, real);
  return isAbsolute(name) ? name : path.replace(/[^/\\]*$/, "") + name;
}

function realOf(path: string): string {
  return attempt(path, () => realpathSync(path));
}

/** A folder without symbolic links in its path; as it is called where only files in it may be read. */
function realFolder(folder: string): string {
  try {
    return realOf(folder);
  } catch (error) {
    if (!isTilewiseError(error, "permission")) throw error;
    return resolve(folder);
  }
}

function outside(path: string, name: string, found: string): TilewiseError {
  const text = `Cannot open ${name}, which ${path} names: it must be a path inside its folder, ` +
    "or below the folder that the option root names";
  return new TilewiseError("invalid", text, { file: name, found, option: "root" });
}

/** The names of everything in a folder, in order. */
export function listFolder(folder: string): string[] {
  return attempt(folder, () => readdirSync(folder)).sort();
}
