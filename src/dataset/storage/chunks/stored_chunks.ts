/**
 * The stored chunks of an array: where they lie, and what fetches them.
 *
 * @module
 */

import type { ChunkLayout } from "../../layout/chunks.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { ChunkBatch } from "./batch.ts";
import type { StoredPlace } from "./filter_chain.ts";
import { KeyedFetcher, keyedPlaces, LazyStore } from "./keyed.ts";
import { indexedPlaces, type OpenByNumber, type Places, storedFacts } from "./places.ts";
import { Shards } from "./shards.ts";
import { ChunkWindow, type Fetcher } from "./window.ts";

/** The stored chunks of an array. */
export interface StoredChunks {
  /** Where they lie. */
  readonly places: Places;
  /** What fetches them. */
  readonly fetcher: Fetcher;
  /** File and address of a chunk, for errors. */
  nameOf(cell: number): StoredPlace;
  /** Throws `changed` when an entry of a store has changed. */
  recheck(): void;
  /** Closes entries and the store. */
  close(): Promise<void>;
}

/** The memory for fetched bytes. */
export interface FetchRoom {
  /** The memory of the reader. */
  readonly memory: WebAssembly.Memory;
  /** Address of the window. */
  readonly at: number;
  /** Its bytes. */
  readonly window: number;
  /** Most bytes of a stored chunk. */
  readonly stored: number;
  /** Whether reads have a long latency. */
  readonly isFar: boolean;
}

/** The stored chunks of `chunks`. */
export function storedChunks(chunks: ChunkLayout, files: OpenFiles, room: FetchRoom): StoredChunks {
  const { keyed } = chunks;
  if (!keyed) return chunks.shards ? inShards(chunks, files, room) : indexed(chunks, files, room);
  const store = new LazyStore(keyed);
  if (chunks.shards) return inShards(chunks, files, room, store);
  const { memory, at, stored } = room;
  const fetcher = new KeyedFetcher(chunks, keyed, store, memory, at, stored);
  const root = keyed.store.kind === "web" ? keyed.store.url.replace(/[?#].*$/, "") : `${keyed.store.path}/`;
  return {
    places: keyedPlaces(storedFacts(chunks)),
    fetcher,
    nameOf: (cell) => ({ name: root + fetcher.keyOf(cell), offset: 0 }),
    recheck: () => store.recheck(),
    close: () => store[Symbol.asyncDispose](),
  };
}

function indexed(chunks: ChunkLayout, files: OpenFiles, room: FetchRoom): StoredChunks {
  const places = indexedPlaces(chunks);
  return {
    places,
    fetcher: fetcherOf(places, files, room),
    nameOf: (cell) => ({
      name: files.get(places.file(cell))?.name ?? "the data set",
      offset: places.address(cell),
    }),
    recheck: () => {},
    close: () => Promise.resolve(),
  };
}

function inShards(chunks: ChunkLayout, files: OpenFiles, room: FetchRoom, store?: LazyStore): StoredChunks {
  const { largest, count } = storedFacts(chunks);
  const shards = new Shards(chunks, files, store, largest, count);
  return {
    places: shards,
    fetcher: fetcherOf(shards, shards, room),
    nameOf: (cell) => ({ name: shards.nameOf(shards.file(cell)), offset: shards.address(cell) }),
    recheck: () => {
      store?.recheck();
      shards.recheck();
    },
    close: async () => {
      await shards[Symbol.asyncDispose]();
      await store?.[Symbol.asyncDispose]();
    },
  };
}

function fetcherOf(places: Places, files: OpenByNumber, { isFar, memory, at, window }: FetchRoom): Fetcher {
  return new (isFar ? ChunkBatch : ChunkWindow)(places, files, memory, at, window);
}
