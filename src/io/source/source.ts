/**
 * Byte sources: the interface between what holds bytes (file, HTTP, Blob, memory) and all code that reads them.
 *
 * The size of a source is fixed when it is opened. A read fills its whole target or fails with a typed
 * error; after a failed read the contents of the target are undefined.
 *
 * @module
 */

import { cannot, type ErrorDetails, throwIfAborted, TilewiseError } from "../../errors.ts";
import type { HttpTimeouts, RetryOptions } from "./watch.ts";

/**
 * Bytes that can be read at any position.
 * @category Data sets
 */
export interface ByteSource extends AsyncDisposable {
  /** Path, URL or name, for messages. */
  readonly name: string;
  /** Bytes in the source, fixed when it was opened. */
  readonly size: number;
  /** Whether anything of it was asked for; absent: not known. */
  readonly isRead?: boolean;
  /**
   * Fills all of `into` from byte `at` on. Returns `undefined` if the read is synchronous (files, bytes), otherwise a
   * promise. Errors: `truncated` when the source ends before, `changed` when it has changed since it was opened.
   */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void | Promise<void>;
  /** The bytes themselves, where they are in memory: to be read in place, and not to be written to. */
  contents?(): Uint8Array;
  /** Checks that the source has not changed since it was opened, as far as this can be found; `changed` if it has. */
  verify(signal?: AbortSignal): Promise<void>;
  /**
   * As {@link verify}, but synchronous, for sources where this only needs the facts of a file. Sources without this method
   * cannot change, or check every read.
   */
  recheck?(): void;
  /** How another thread opens the same bytes: plain data for `openSpec`. */
  describe(): SourceSpec;
}

/**
 * A file by its path.
 * @category Data sets
 */
export interface FileSpec {
  /** Says which kind of source this is. */
  readonly kind: "file";
  /** Path on this machine. */
  readonly path: string;
  /** Bytes that it must have. */
  readonly size: number;
  /** Time of its last change in milliseconds, from the file system. */
  readonly modified?: number;
  /** Time of the last change of its facts (contents, name, permissions) in milliseconds; it cannot be set back. */
  readonly touched?: number;
  /** Device and number that identify it in the file system: another file of the same name has others. */
  readonly id?: string;
  /** How many names it has: another one touches it, and changes nothing. */
  readonly links?: number;
}

/**
 * Bytes in memory; on shared memory they are not copied on their way to a worker.
 * @category Data sets
 */
export interface BytesSpec {
  /** Says which kind of source this is. */
  readonly kind: "bytes";
  /** Name for messages. */
  readonly name: string;
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/**
 * A `Blob` or a `File` that a user picked.
 * @category Data sets
 */
export interface BlobSpec {
  /** Says which kind of source this is. */
  readonly kind: "blob";
  /** Name for messages. */
  readonly name: string;
  /** The blob; a clone refers to the same bytes. */
  readonly blob: Blob;
}

/**
 * A resource of an HTTP server, with the facts that tell its versions apart.
 * @category Data sets
 */
export interface HttpSpec {
  /** Says which kind of source this is. */
  readonly kind: "http";
  /** Where it is. */
  readonly url: string;
  /** Bytes that it must have. */
  readonly size: number;
  /** Its entity tag, if the server has one. */
  readonly etag?: string;
  /** Its time of last change, if the server gives it. */
  readonly lastModified?: string;
  /** Headers to send along. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an answer may take, if the caller has set this. */
  readonly timeouts?: HttpTimeouts;
  /** How often to try again, if the caller has set this. */
  readonly retry?: Omit<RetryOptions, "random">;
}

/**
 * A range of another source.
 * @category Data sets
 */
export interface JoinedPart {
  /** Which one. */
  readonly source: SourceSpec;
  /** Its first byte there. */
  readonly offset: number;
  /** Its bytes. */
  readonly size: number;
}

/**
 * Ranges of other sources one after another.
 * @category Data sets
 */
export interface JoinedSpec {
  /** Says which kind of source this is. */
  readonly kind: "joined";
  /** Name for messages. */
  readonly name: string;
  /** The ranges in order. */
  readonly parts: readonly JoinedPart[];
}

/**
 * What a gzip file holds; it is unpacked to a temporary file when it is first read.
 * @category Data sets
 */
export interface UnpackedSpec {
  /** Says which kind of source this is. */
  readonly kind: "unpacked";
  /** Name for messages. */
  readonly name: string;
  /** Bytes that it holds at least. */
  readonly size: number;
  /** Bytes that it may hold. */
  readonly most: number;
  /** Path of the temporary file, once it is there. */
  readonly path: string;
  /** The gzip file. */
  readonly packed: SourceSpec;
}

/**
 * What was read from another source, kept in shared memory.
 * @category Data sets
 */
export interface KeptSpec {
  /** Says which kind of source this is. */
  readonly kind: "kept";
  /** Name for messages. */
  readonly name: string;
  /** Where missing bytes are read. */
  readonly source: SourceSpec;
  /** Room for all bytes. */
  readonly bytes: Uint8Array;
  /** Which of them are there: 1 for each block that is. */
  readonly marks: Uint8Array;
}

/**
 * How to open a source again, as data that `postMessage` can carry.
 * @category Data sets
 */
export type SourceSpec = FileSpec | BytesSpec | BlobSpec | HttpSpec | JoinedSpec | UnpackedSpec | KeptSpec;

/** The sources behind `spec`: the parts of a joined source, the packed file of an unpacked source, otherwise itself. */
export function ownSpecs(spec: SourceSpec): SourceSpec[] {
  if (spec.kind === "joined") return spec.parts.flatMap(({ source }) => ownSpecs(source));
  if (spec.kind === "kept") return ownSpecs(spec.source);
  return spec.kind === "unpacked" ? ownSpecs(spec.packed) : [spec];
}

/** Throws unless `length` bytes at `at` lie inside the source and `signal` has not fired. */
export function checkRead(
  { name, size }: { readonly name: string; readonly size: number },
  length: number,
  at: number,
  signal?: AbortSignal,
): void {
  throwIfAborted(signal);
  if (!Number.isSafeInteger(at) || at < 0) {
    throw new TilewiseError("invalid", `Cannot read ${name} at byte ${at}; offsets are counts from 0`, {
      file: name,
      found: String(at),
    });
  }
  if (at + length > size) {
    const text = `Cannot read ${length} bytes at ${at} of ${name}: it has ${size} bytes`;
    throw new TilewiseError("truncated", text, {
      file: name,
      offset: at,
      expected: length,
      found: Math.max(0, size - at),
    });
  }
}

/** The error for a read after the source was closed. */
export function closedError(name: string): TilewiseError {
  return cannot("read", name, "invalid", "it has been closed");
}

/** The error for a source whose `what` was `expected` when it was opened and is `found` now. */
export function changedError(
  name: string,
  what: string,
  expected: string | number,
  found: string | number,
  more: ErrorDetails = {},
): TilewiseError {
  const text = `it changed after it was opened (${what} was ${expected}, is ${found})`;
  return cannot("read", name, "changed", text, { ...more, expected, found, what });
}

/**
 * `length` bytes at `at` in memory of their own; refused before anything is allocated when the source is shorter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { BytesSource } from "./bytes.ts";
 * const source = new BytesSource(new Uint8Array([1, 2, 3, 4]));
 * assertEquals(await readBytes(source, 1, 2), new Uint8Array([2, 3]));
 * ```
 */
export async function readBytes(
  source: ByteSource,
  at: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  checkRead(source, length, at, signal);
  const bytes = new Uint8Array(length);
  await source.readInto(bytes, at, signal);
  return bytes;
}

/** The bytes at `at`, at most `most`; fewer, or none, at the end of the source. Formats are recognised by them. */
export function readUpTo(
  source: ByteSource,
  at: number,
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const from = Math.min(at, source.size);
  return readBytes(source, from, Math.min(most, source.size - from), signal);
}
