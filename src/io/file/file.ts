/**
 * A byte source over a file: positional reads directly into the target, also into shared WebAssembly memory.
 *
 * `open.ts` loads it when a path is opened, so that a browser never sees it.
 *
 * @module
 */

import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import { compareFacts, type FileCalls, type FileFacts, specOf, SYSTEM_CALLS } from "./facts.ts";
import { attempt, codeOf, fileError, noteOpened } from "./error.ts";
import { type ByteSource, checkRead, closedError, type FileSpec } from "../source/source.ts";

/** Most bytes of one call: the operating systems stop just below 2 GiB. */
const MOST = 2 ** 30;

/** Pauses in milliseconds before the second, third and fourth attempt of a read that may succeed next time. */
const PAUSES = [1, 10, 100];

/**
 * Milliseconds within which a system may give two changes the same time: a tick of its clock, and the rounding. A file that
 * has changed within this time is opened only after it, so that a later change gets another time.
 */
const TICK = 12;

/** Most waits for such a file, as it may change all the time. */
const MOST_TICKS = 3;

const TRANSIENT = new Set(["EINTR", "EAGAIN", "EIO", "ETIMEDOUT"]);

/**
 * A file as a source. Opening the source reads only the facts of the file. The first read opens the file and checks that it
 * still has these facts; so does opening it again from its description. Later changes are found by {@link recheck}, which
 * checks the file that now has this name. A file that was replaced has changed, even though the old file could still be read.
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
    return new FileSource(specOf(path, settled(path, calls)), calls);
  }

  /** Opens the file that `spec` describes; `changed` when it is not the same any more. */
  static reopen(spec: FileSpec, calls: FileCalls = SYSTEM_CALLS): FileSource {
    const source = new FileSource(spec, calls);
    source.#fd = source.#openChecked(); // which checks the facts of the open file
    return source;
  }

  /** Fills `into` synchronously; blocks this thread until the file system has read. */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void {
    if (this.#closed) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    const fd = this.#fd ??= this.#openChecked();
    let done = 0;
    while (done < into.byteLength) {
      const got = this.#readSome(fd, into, done, at + done);
      if (got === 0) throw this.#endsEarly(at, into.byteLength, done);
      done += got;
    }
  }

  /** Compares the file of this name with what was opened: size, times, device and number. */
  verify(): Promise<void> {
    if (this.#closed) return Promise.reject(closedError(this.name));
    return new Promise((resolve) => resolve(this.recheck()));
  }

  /** As {@link verify}, but synchronous; it also works on a closed source. */
  recheck(): void {
    recheckFile(this.spec, this.calls);
    if (this.#fd === undefined || this.spec.id !== undefined) return; // the open file has this number, and so its facts
    compareFacts(this.spec, attempt(this.name, () => this.calls.fstat(this.#fd!)));
  }

  /** Path, size, times, device and number. */
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

  #openChecked(): number {
    const { path } = this.spec;
    const fd = this.#attemptOpen();
    try {
      compareFacts(this.spec, attempt(path, () => this.calls.fstat(fd)));
      return fd;
    } catch (error) {
      this.calls.close(fd);
      throw error;
    }
  }

  #attemptOpen(): number {
    try {
      return this.calls.open(this.name);
    } catch (error) {
      throw this.#unlessChanged(fileError(this.name, error));
    }
  }

  /** The error for a failure: `changed` if the file has changed, as this may be the reason. */
  #unlessChanged(error: TilewiseError): TilewiseError {
    try {
      this.recheck();
    } catch (other) {
      if (isTilewiseError(other, "changed")) return withOffset(other, error);
    }
    return error;
  }

  #readSome(fd: number, into: Uint8Array, start: number, position: number): number {
    const length = Math.min(MOST, into.byteLength - start);
    for (let tries = 0;; tries++) {
      try {
        return this.calls.read(fd, into, start, length, position);
      } catch (error) {
        if (tries >= PAUSES.length || !TRANSIENT.has(codeOf(error))) {
          throw this.#unlessChanged(fileError(this.name, error, position));
        }
        this.calls.pause(PAUSES[tries]!);
      }
    }
  }

  #endsEarly(offset: number, expected: number, found: number): TilewiseError {
    const text = `Cannot read ${expected} bytes at ${offset} of ${this.name}: they end after ${found}`;
    const details = { file: this.name, offset, expected, found };
    return this.#unlessChanged(new TilewiseError("truncated", text, details));
  }
}

/** Throws `changed` unless the file that `spec` describes still exists, unchanged. */
export function recheckFile(spec: FileSpec, calls: FileCalls = SYSTEM_CALLS): void {
  let now: FileFacts | undefined;
  try {
    now = calls.stat(spec.path);
  } catch (error) {
    const failure = fileError(spec.path, error);
    if (failure.code !== "not-found") throw failure;
  }
  compareFacts(spec, now);
}

/** The facts of a file, taken late enough that any later change will change them. */
function settled(path: string, calls: FileCalls): FileFacts {
  for (let ticks = 0;; ticks++) {
    const facts = regular(path, attempt(path, () => calls.stat(path)));
    const age = Date.now() - facts.modified;
    if (age >= TICK || age < -TICK || ticks >= MOST_TICKS) return facts; // waiting does not help if a clock is wrong
    calls.pause(Math.ceil(TICK - age));
  }
}

function withOffset(error: TilewiseError, { details, cause }: TilewiseError): TilewiseError {
  const { offset } = details;
  if (offset === undefined) return error;
  return new TilewiseError(error.code, `${error.message}, found at byte ${offset}`, {
    ...error.details,
    offset,
  }, {
    cause,
  });
}

function regular(path: string, facts: FileFacts): FileFacts {
  if (facts.kind === "file") return facts;
  const what = facts.kind === "directory" ? "a directory" : "a pipe or a device";
  throw cannot("open", path, "not-a-file", `it is ${what}, not a file`, { expected: "a file", found: what });
}
