/**
 * Stored chunks as they come from the file: chunks that lie one after another and are needed next are fetched with
 * one read. Over HTTP that is one request, and for small chunks in files one system call.
 *
 * @module
 */

import type { ChunkLayout } from "../../layout/chunks.ts";
import type { OpenFiles } from "../../layout/open_files.ts";

/** Bytes per fetch, unless one chunk is larger. */
const WINDOW_BYTES = 2 ** 20;
/** Gaps between two chunks of at most this many bytes are read instead of skipped. */
const GAP_BYTES = 4096;

/** Bytes of the buffer for chunks of up to `largest` stored bytes. */
export function windowBytes({ sizes }: ChunkLayout, largest: number): number {
  const all = sizes.reduce((sum, size) => sum + size + GAP_BYTES, 0);
  return Math.max(largest, Math.min(WINDOW_BYTES, all));
}

/** The stretch of a file that was fetched last. */
export class ChunkWindow {
  #file = -1;
  #start = 0;
  #end = 0;

  /** Fetches chunks of `chunks` to the `bytes` bytes at `address` of `memory`. */
  constructor(
    private readonly chunks: ChunkLayout,
    private readonly files: OpenFiles,
    private readonly memory: WebAssembly.Memory,
    private readonly address: number,
    private readonly bytes: number,
  ) {}

  /**
   * The stored bytes of `cell`, synchronously if they have been fetched; valid until the next call. `next`: chunks that will
   * be needed after it, in order.
   */
  fetch(cell: number, next: Iterable<number>, signal?: AbortSignal): Uint8Array | Promise<Uint8Array> {
    const { addresses, sizes, files } = this.chunks;
    const file = files?.[cell] ?? 0;
    const [start, size] = [addresses[cell]!, sizes[cell]!];
    const stored = () => new Uint8Array(this.memory.buffer, this.address + start - this.#start, size);
    const isThere = file === this.#file && start >= this.#start && start + size <= this.#end;
    if (isThere) return stored();
    return this.#read(file, start, start + size, this.#endOf(cell, next), signal).then(stored);
  }

  /** The end of the last chunk that is read together with it. */
  #endOf(cell: number, next: Iterable<number>): number {
    const { addresses, sizes, files } = this.chunks;
    const start = addresses[cell]!;
    let end = start + sizes[cell]!;
    for (const other of next) {
      const at = addresses[other]!;
      const isNear = at >= end && at - end <= GAP_BYTES && at + sizes[other]! - start <= this.bytes;
      if (!isNear || (files && files[other] !== files[cell])) break;
      end = at + sizes[other]!;
    }
    return end;
  }

  async #read(file: number, start: number, least: number, end: number, signal?: AbortSignal): Promise<void> {
    const source = this.files.get(file) ?? await this.files.open(file);
    this.#file = -1;
    const last = end <= source.size ? end : least; // what is missing concerns later chunks
    await source.readInto(new Uint8Array(this.memory.buffer, this.address, last - start), start, signal);
    [this.#file, this.#start, this.#end] = [file, start, last];
  }
}
