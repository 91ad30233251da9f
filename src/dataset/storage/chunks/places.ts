/**
 * Where stored chunks lie: files, addresses and sizes by the number of the chunk.
 *
 * @module
 */

import type { ByteSource } from "../../../io/source/source.ts";
import { sizeOf } from "../../../space/shape.ts";
import { chunkBytes, type ChunkLayout, gridOfChunks } from "../../layout/chunks.ts";

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
