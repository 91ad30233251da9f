/**
 * A byte source over bytes in memory.
 *
 * @module
 */

import { type ByteSource, type BytesSpec, checkRead, closedError } from "./source.ts";

/**
 * Bytes in memory as a source; reads are synchronous copies. The bytes must not be changed while it is open.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * await using source = new BytesSource(new Uint8Array([1, 2, 3, 4]), "four bytes");
 * const into = new Uint8Array(2);
 * source.readInto(into, 2);
 * assertEquals(into, new Uint8Array([3, 4]));
 * ```
 */
export class BytesSource implements ByteSource {
  /** Bytes in it. */
  readonly size: number;
  #bytes: Uint8Array | undefined;

  /** A source over `bytes`, which are not copied. */
  constructor(bytes: Uint8Array, /** Name for messages. */ readonly name: string = "bytes") {
    this.#bytes = bytes;
    this.size = bytes.byteLength;
  }

  /** Copies the bytes at `at` into `into`, synchronously. */
  readInto(into: Uint8Array, at: number, signal?: AbortSignal): void {
    const bytes = this.#open();
    checkRead(this, into.byteLength, at, signal);
    into.set(bytes.subarray(at, at + into.byteLength));
  }

  /** The bytes. */
  contents(): Uint8Array {
    return this.#open();
  }

  /** Checks nothing: bytes in memory do not change. */
  verify(): Promise<void> {
    return Promise.resolve();
  }

  /** The bytes in shared memory, so that all workers read the same bytes; the first call copies them there. */
  describe(): BytesSpec {
    this.#bytes = sharedCopy(this.#open());
    return { kind: "bytes", name: this.name, bytes: this.#bytes };
  }

  /** Lets go of the bytes. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#bytes = undefined;
    return Promise.resolve();
  }

  #open(): Uint8Array {
    if (!this.#bytes) throw closedError(this.name);
    return this.#bytes;
  }
}

/** Copies of fewer bytes lie in a plain buffer: a memory of WebAssembly takes at least a page and some address space. */
const LEAST = 65536;
/** Pages that a memory of WebAssembly can have. */
const MOST_PAGES = 65536;

const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/**
 * The same bytes in shared memory, if the platform has it; copied unless they are already there. Where that is possible,
 * the copy lies in a memory of WebAssembly, so that kernels can read it.
 */
export function sharedCopy(bytes: Uint8Array): Uint8Array {
  if (typeof SharedArrayBuffer === "undefined" || bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const memory = memoryFor(bytes.byteLength);
  const buffer = memory?.buffer ?? new SharedArrayBuffer(bytes.byteLength);
  if (memory) memories.set(buffer, memory);
  const copy = new Uint8Array(buffer, 0, bytes.byteLength);
  copy.set(bytes);
  return copy;
}

/** The memory of WebAssembly that holds bytes which {@link sharedCopy} has made on this thread, if they lie in one. */
export function memoryOf(bytes: Uint8Array): WebAssembly.Memory | undefined {
  return memories.get(bytes.buffer);
}

function memoryFor(bytes: number): WebAssembly.Memory | undefined {
  const pages = Math.ceil(bytes / 65536);
  if (bytes < LEAST || pages > MOST_PAGES) return undefined;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    return undefined; // no address space for one more
  }
}
