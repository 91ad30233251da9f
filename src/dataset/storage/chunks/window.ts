/**
 * Stored chunks as they come from the file: chunks that lie one after another and are needed next are fetched with
 * one read. Over HTTP that is one request, and for small chunks in files one system call.
 *
 * @module
 */

import type { ByteSource } from "../../../io/source/source.ts";
import { sizeOf } from "../../../space/shape.ts";
import { chunkBytes, type ChunkLayout, gridOfChunks } from "../../layout/chunks.ts";

/** Bytes per fetch, unless one chunk is larger. */
const WINDOW_BYTES = 2 ** 20;
/** Chunks of at least this many bytes are read one by one to where they are wanted. */
export const DIRECT_BYTES: number = 64 * 1024;
/** Gaps between two chunks of at most this many bytes are read instead of skipped. */
const GAP_BYTES = 4096;

/** Bytes of the buffer for `count` chunks of up to `largest` stored bytes, `all` bytes together. */
export function windowBytes({ count, all }: Pick<Places, "count" | "all">, largest: number): number {
  return Math.max(largest, Math.min(WINDOW_BYTES, all + count * GAP_BYTES));
}

/** The stored bytes of a chunk; `undefined`: it was never written. */
export type Stored = Uint8Array | undefined;

/** Fetches stored chunks. */
export interface Fetcher {
  /**
   * The stored bytes of `cell`, synchronously if they have been fetched; valid until the next call. `next`: chunks that will
   * be needed after it, in order. `wanted`: where the bytes are needed as they are; they may be put there.
   */
  fetch(
    cell: number,
    next: () => Iterable<number>,
    signal?: AbortSignal,
    wanted?: Uint8Array,
  ): Stored | Promise<Stored>;
  /** Resolves when all requests have ended, also failed ones: nothing writes to the memory any more. */
  settled?(): Promise<void>;
}

/** The range of a file that was fetched last. */
export class ChunkWindow implements Fetcher {
  #file = -1;
  #start = 0;
  #end = 0;

  /** Fetches chunks at `places` to the `bytes` bytes at `address` of `memory`. */
  constructor(
    private readonly places: Places,
    private readonly files: OpenByNumber,
    private readonly memory: WebAssembly.Memory,
    private readonly address: number,
    private readonly bytes: number,
  ) {}

  /** The stored bytes of `cell`; a large chunk is put where it is wanted. */
  fetch(
    cell: number,
    next: () => Iterable<number>,
    signal?: AbortSignal,
    wanted?: Uint8Array,
  ): Stored | Promise<Stored> {
    const { places } = this;
    if (!places.has(cell)) {
      return places.find(cell, next(), signal).then(() => this.fetch(cell, next, signal, wanted));
    }
    const file = places.file(cell);
    const [start, size] = [places.address(cell), places.size(cell)];
    if (start < 0) return undefined;
    const stored = () => new Uint8Array(this.memory.buffer, this.address + start - this.#start, size);
    if (file === this.#file && start >= this.#start && start + size <= this.#end) return stored();
    if (wanted?.length === size && size >= DIRECT_BYTES) return this.#readTo(wanted, file, start, signal);
    return this.#read(file, start, start + size, this.#endOf(cell, next()), signal).then(stored);
  }

  async #readTo(wanted: Uint8Array, file: number, start: number, signal?: AbortSignal): Promise<Stored> {
    const source = this.files.get(file) ?? await this.files.open(file, signal);
    await source.readInto(wanted, start, signal);
    return wanted;
  }

  /** The end of the last chunk that is read together with it. */
  #endOf(cell: number, next: Iterable<number>): number {
    const { places } = this;
    const [start, file] = [places.address(cell), places.file(cell)];
    let end = start + places.size(cell);
    for (const other of next) {
      if (!places.has(other)) break;
      const at = places.address(other);
      if (at < 0) continue;
      const isNear = at >= end && at - end <= GAP_BYTES && at + places.size(other) - start <= this.bytes;
      if (!isNear || places.file(other) !== file) break;
      end = at + places.size(other);
    }
    return end;
  }

  async #read(file: number, start: number, least: number, end: number, signal?: AbortSignal): Promise<void> {
    const source = this.files.get(file) ?? await this.files.open(file, signal);
    this.#file = -1;
    const last = end <= source.size ? end : least; // what is missing concerns later chunks
    await source.readInto(new Uint8Array(this.memory.buffer, this.address, last - start), start, signal);
    [this.#file, this.#start, this.#end] = [file, start, last];
  }
}

/** Where stored chunks lie. */
export interface Places {
  /** Chunks of the array. */
  readonly count: number;
  /** Most stored bytes of a chunk. */
  readonly largest: number;
  /** Stored bytes of all chunks, if they are known. */
  readonly all: number;
  /** Whether it is known where a chunk lies; otherwise {@link find} must be called first. */
  has(cell: number): boolean;
  /** Whether it is known that a chunk was never written. */
  isBlank(cell: number): boolean;
  /** First byte of a chunk; −1: it was never written. */
  address(cell: number): number;
  /** Its stored bytes. */
  size(cell: number): number;
  /** The number of its file. */
  file(cell: number): number;
  /** Finds out where `cell` lies, and some of `next`, which will be needed after it. */
  find(cell: number, next: Iterable<number>, signal?: AbortSignal): Promise<void>;
}

/** Files by number, opened on demand. */
export interface OpenByNumber {
  /** The file, if it is open. */
  get(file: number): ByteSource | undefined;
  /** Opens the file. */
  open(file: number, signal?: AbortSignal): Promise<ByteSource>;
}

/** What is known of the stored bytes of chunks before any is read. */
export function storedFacts(chunks: ChunkLayout): Pick<Places, "count" | "largest" | "all"> {
  if (!chunks.keyed && !chunks.shards) return indexedPlaces(chunks);
  return { count: sizeOf(gridOfChunks(chunks)), largest: chunks.most ?? chunkBytes(chunks), all: Infinity };
}

/** Addresses from the layout. */
export function indexedPlaces({ addresses, sizes, files }: ChunkLayout): Places {
  return {
    count: addresses.length,
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
    all: sizes.reduce((sum, size) => sum + size, 0),
    has: () => true,
    isBlank: (cell) => addresses[cell]! < 0,
    address: (cell) => addresses[cell]!,
    size: (cell) => sizes[cell]!,
    file: (cell) => files?.[cell] ?? 0,
    find: () => Promise.resolve(),
  };
}
