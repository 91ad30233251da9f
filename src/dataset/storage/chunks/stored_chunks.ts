/**
 * The stored chunks of an array: where they lie, and what fetches them.
 *
 * @module
 */

import { mostBytes } from "../../../codecs/filters/registry.ts";
import { cannot, TilewiseError } from "../../../errors.ts";
import { unravel } from "../../../space/shape.ts";
import {
  chunkBytes,
  type ChunkFilterSpec,
  type ChunkLayout,
  gridOfChunks,
  heldBytes,
  isEdge,
} from "../../layout/chunks.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import type { UndoFilter } from "../common/block_reader.ts";
import { ChunkBatch } from "./batch.ts";
import type { Cuts } from "./cuts.ts";
import { KeyedFetcher, keyedPlaces, LazyStore } from "./keyed.ts";
import {
  ChunkWindow,
  type Fetcher,
  indexedPlaces,
  type OpenByNumber,
  type Places,
  storedFacts,
} from "./window.ts";
import { Shards } from "./shards.ts";
import type { ChunkTools } from "./tools.ts";

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
interface FetchRoom {
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

// From a stored chunk to its samples: undoes its filters one after another.

/** Where a stored chunk lies, for errors. */
interface StoredPlace {
  /** The name of its file. */
  readonly name: string;
  /** Its first byte there. */
  readonly offset: number;
}

/** The filters of an array in chunks, with the memory that they need. */
export class FilterChain {
  readonly #passes: readonly number[];
  readonly #spare: Uint8Array;
  readonly #stored: number;
  readonly #scratch: number;
  readonly #memory: WebAssembly.Memory;
  readonly #filters = new Map<string, UndoFilter>();

  /** Takes its memory from the slab of `tools`; `nameOf` gives file and address of a chunk for errors. */
  constructor(
    private readonly chunks: ChunkLayout,
    private readonly nameOf: (cell: number) => StoredPlace,
    private readonly tools: ChunkTools,
    { passes, stored, spare, scratch }: Cuts,
  ) {
    const { slab } = tools;
    this.#memory = slab.memory;
    this.#stored = stored;
    this.#passes = Array.from({ length: passes }, () => slab.take(stored, "chunks"));
    this.#spare = new Uint8Array(slab.memory.buffer, slab.take(spare, "filters"), spare);
    this.#scratch = slab.take(scratch, "filters");
  }

  /** Undoes the filters of a stored chunk, last applied first; the last one writes to `target`. */
  undo(cell: number, stored: Uint8Array, target: Uint8Array): void | Promise<void> {
    const { chunks } = this;
    const isPlain = chunks.plainEdges && isEdge(chunks, cell);
    const mask = chunks.shards ? 0 : chunks.masks[cell] ?? 0;
    const active = chunks.filters.filter((_, f) => !isPlain && !(mask >> f & 1)).reverse();
    if (active.length === 0 && this.#fits(cell, stored.length)) return put(stored, target);
    const most = mostBytes(stored.length, active.map(({ name }) => name));
    if (most < heldBytes(chunks, cell)) throw this.#wrong(cell, `at most ${most}`); // before any memory is written
    return this.#steps(cell, active, 0, stored, target);
  }

  /** Undoes the filters from number `step` on; synchronous as long as the filters are. */
  #steps(
    cell: number,
    active: readonly ChunkFilterSpec[],
    step: number,
    input: Uint8Array,
    target: Uint8Array,
  ): void | Promise<void> {
    if (step === active.length) {
      if (!this.#fits(cell, input.length)) throw this.#wrong(cell, input.length);
      return;
    }
    const { name, values } = active[step]!;
    const undo = this.#filters.get(name);
    if (!undo) return this.#filter(name).then(() => this.#steps(cell, active, step, input, target));
    const output = step === active.length - 1 ? target : this.#pass(step); // not the one that is read
    const { kernels } = this.tools;
    const goOn = (written: number) =>
      this.#steps(cell, active, step + 1, output.subarray(0, written), target);
    const located = (error: unknown) => this.#located(cell, error);
    let written: number | Promise<number>;
    try {
      written = undo({ kernels, input, output, values, cell, scratch: this.#scratch, spare: this.#spare });
    } catch (error) {
      throw located(error);
    }
    if (typeof written === "number") return goOn(written);
    return written.then(goOn, (error) => {
      throw located(error);
    });
  }

  /** Whether `bytes` are those of chunk `cell`; a clipped chunk may have more rows than exist. */
  #fits(cell: number, bytes: number): boolean {
    const whole = chunkBytes(this.chunks);
    return bytes === whole ||
      (bytes < whole && this.chunks.clipped === true && bytes >= heldBytes(this.chunks, cell));
  }

  #pass(which: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#passes[which % this.#passes.length]!, this.#stored);
  }

  async #filter(name: string): Promise<UndoFilter> {
    const filter = await this.tools.filterOf(name);
    this.#filters.set(name, filter);
    return filter;
  }

  /** The error of a filter, with the chunk added. */
  #located(cell: number, error: unknown): unknown {
    if (!(error instanceof TilewiseError)) return error;
    const { name, offset, at } = this.#where(cell);
    const text = `chunk ${at} at byte ${offset}: ${error.message}`;
    return cannot("read", name, error.code, text, { ...error.details, offset }, { cause: error });
  }

  #wrong(cell: number, found: number | string): TilewiseError {
    const { name, offset, at } = this.#where(cell);
    const expected = heldBytes(this.chunks, cell);
    const text = `chunk ${at} at byte ${offset} gives ${found} bytes, not ${expected}`;
    return cannot("read", name, "malformed", text, { offset, expected, found });
  }

  #where(cell: number): StoredPlace & { readonly at: string } {
    const { chunks } = this;
    return { ...this.nameOf(cell), at: `(${unravel(cell, gridOfChunks(chunks)).join(", ")})` };
  }
}

/** Copies bytes, unless they are there already. */
function put(bytes: Uint8Array, target: Uint8Array): void {
  if (bytes.buffer !== target.buffer || bytes.byteOffset !== target.byteOffset) target.set(bytes);
}
