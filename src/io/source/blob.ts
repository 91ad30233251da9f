/**
 * A byte source over a `Blob` or a `File`.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { untilAborted } from "../../turns.ts";
import { type BlobSpec, type ByteSource, changedError, checkRead, closedError } from "./source.ts";

/** Most bytes that one slice brings into memory besides the target; large, because every slice costs a message. */
const SLICE = 16 * 2 ** 20;

/** What browsers say by the names of their errors. */
const REASONS: Readonly<Record<string, readonly [code: ErrorCode, reason: string]>> = {
  NotFoundError: ["not-found", "it is not there any more; choose the file again"],
  NotReadableError: [
    "changed",
    "it was changed or removed on disk, or access to it ended; choose the file again",
  ],
  NotAllowedError: ["permission", "the page may not read it any more; choose the file again"],
};

/**
 * A `Blob` or `File` as a source.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * await using source = new BlobSource(new File(["tiles"], "a.txt"));
 * const into = new Uint8Array(2);
 * await source.readInto(into, 3);
 * assertEquals([source.name, new TextDecoder().decode(into)], ["a.txt", "es"]);
 * ```
 */
export class BlobSource implements ByteSource {
  /** Name for messages. */
  readonly name: string;
  /** Bytes in the blob. */
  readonly size: number;
  #blob: Blob | undefined;
  #isRead = false;

  /** A source over `blob`; the name of a `File` is its own. */
  constructor(blob: Blob, name?: string) {
    this.name = name ?? nameOf(blob);
    this.size = blob.size;
    this.#blob = blob;
  }

  /** Whether anything of it was asked for. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Fills `into` slice by slice. */
  async readInto(into: Uint8Array, at: number, signal?: AbortSignal): Promise<void> {
    this.#isRead = true;
    if (!this.#blob) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    for (let done = 0; done < into.byteLength; done += SLICE) {
      const length = Math.min(SLICE, into.byteLength - done);
      into.set(await this.#slice(at + done, length, signal), done);
    }
  }

  /** Reads one byte: a browser refuses to read a `File` that was changed on disk. */
  async verify(signal?: AbortSignal): Promise<void> {
    await this.readInto(new Uint8Array(Math.min(1, this.size)), 0, signal);
  }

  /** The blob itself: its clone refers to the same bytes. */
  describe(): BlobSpec {
    if (!this.#blob) throw closedError(this.name);
    return { kind: "blob", name: this.name, blob: this.#blob };
  }

  /** Lets go of the bytes. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#blob = undefined;
    return Promise.resolve();
  }

  async #slice(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (!this.#blob) throw closedError(this.name);
    const bytes = await untilAborted(this.#blob.slice(at, at + length).arrayBuffer(), signal)
      .catch((cause) => Promise.reject(this.#failure(cause, at)));
    if (bytes.byteLength !== length) throw changedError(this.name, "length", length, bytes.byteLength);
    return new Uint8Array(bytes);
  }

  #failure(cause: unknown, offset: number): TilewiseError {
    if (cause instanceof TilewiseError) return cause;
    const kind = (cause as Error | undefined)?.name ?? "";
    const [code, reason] = REASONS[kind] ?? ["io", `${cause instanceof Error ? cause.message : cause}`];
    const text = `Cannot read ${this.name} at byte ${offset}: ${reason}`;
    return new TilewiseError(code, text, { file: this.name, offset }, { cause });
  }
}

/** The name of a file, with its folders if they are known. */
function nameOf(blob: Blob): string {
  return pathOf(blob) || "blob";
}

/** Paths of files whose browser does not say them. */
const paths = new WeakMap<Blob, string>();

/** The same file, with its folders. */
export function withPath(file: Blob, path: string): Blob {
  paths.set(file, path);
  return file;
}

/** The name of a file, with its folders if they are known; empty if it has none. */
export function pathOf(blob: Blob): string {
  const { webkitRelativePath: path = "", name = "" } = blob as Partial<File>;
  return paths.get(blob) || path || name;
}
