/**
 * Stored chunks that are found by their keys, each an entry of a store: read one by one from a folder, several at a time
 * over HTTP. Their sizes are not known before; an entry that is missing was never written.
 *
 * @module
 */

import type { ChunkStore, StoreSpec } from "../../../io/store/store.ts";
import { unravel } from "../../../space/shape.ts";
import type { ChunkLayout } from "../../layout/chunks.ts";
import { gridOfEntries, type KeyedChunks, keyOf } from "../../layout/keyed.ts";
import type { Fetcher, Places, Stored } from "./window.ts";

/** The store that `spec` describes. */
async function openStore(spec: StoreSpec): Promise<ChunkStore> {
  if (spec.kind === "web") return new (await import("../../../io/store/web.ts")).WebStore(spec);
  return new (await import("../../../io/store/folder.ts")).FolderStore(spec);
}

/** Requests at the same time. */
const LANES = 8;
/** Bytes of the places for chunks that are under way, unless two chunks are larger. */
const LANE_BYTES = 32 * 2 ** 20;

/** Places for stored chunks of up to `largest` bytes. */
export function lanesOf({ store }: { readonly store: Pick<StoreSpec, "kind"> }, largest: number): number {
  return store.kind === "web" ? Math.max(2, Math.min(LANES, Math.floor(LANE_BYTES / largest))) : 1;
}

/** A store that is opened when it is first used. */
export class LazyStore implements AsyncDisposable {
  #store: ChunkStore | undefined;
  #opening: Promise<ChunkStore> | undefined;

  /** The store that `keyed` names, not yet open. */
  constructor(private readonly keyed: KeyedChunks) {}

  /** The store, if it is open. */
  get opened(): ChunkStore | undefined {
    return this.#store;
  }

  /** Opens the store. */
  open(): Promise<ChunkStore> {
    return this.#opening ??= openStore(this.keyed.store).then((store) => this.#store = store);
  }

  /** Throws `changed` when an entry that was used has changed. */
  recheck(): void {
    this.#store?.recheck();
  }

  /** Closes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
  }
}

/** A chunk that is under way, or has arrived. */
interface Lane {
  readonly cell: number;
  readonly lane: number;
  readonly arrival: Promise<Stored>;
}

/** Fetches chunks by their keys. */
export class KeyedFetcher implements Fetcher {
  readonly #grid: readonly number[];
  readonly #lanes = new Map<number, Lane>();
  readonly #free: number[];
  /** Requests that have not ended. */
  readonly #pending = new Set<Promise<unknown>>();
  /** The lane whose chunk is in use. */
  #used: Lane | undefined;

  /** Fetches chunks to `lanes` places of `largest` bytes at `address` of `memory`. */
  constructor(
    chunks: ChunkLayout,
    private readonly keyed: KeyedChunks,
    private readonly store: LazyStore,
    private readonly memory: WebAssembly.Memory,
    private readonly address: number,
    private readonly largest: number,
  ) {
    this.#grid = gridOfEntries(chunks);
    this.#free = Array.from({ length: lanesOf(keyed, largest) }, (_, lane) => lane);
  }

  /** The stored bytes of `cell`; those of a folder are put where they are wanted. */
  fetch(
    cell: number,
    next: () => Iterable<number>,
    signal?: AbortSignal,
    wanted?: Uint8Array,
  ): Stored | Promise<Stored> {
    const { opened } = this.store;
    if (!opened) return this.store.open().then(() => this.fetch(cell, next, signal, wanted));
    if (this.keyed.store.kind === "web") return this.#fetchFar(opened, cell, next(), signal);
    const into = wanted ?? this.#place(0);
    const done = opened.fill(this.keyOf(cell), into, signal);
    return typeof done === "number" ? stored(into, done) : done.then((bytes) => stored(into, bytes));
  }

  /** The key of a chunk. */
  keyOf(cell: number): string {
    return keyOf(this.keyed, unravel(cell, this.#grid));
  }

  /** Resolves when nothing writes to the memory any more; chunks that have arrived are kept. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#pending.clear();
  }

  async #fetchFar(
    store: ChunkStore,
    cell: number,
    next: Iterable<number>,
    signal?: AbortSignal,
  ): Promise<Stored> {
    if (this.#used) this.#release(this.#used);
    const lane = this.#lanes.get(cell) ?? await this.#start(store, cell, signal);
    this.#used = lane;
    for (const other of next) {
      if (this.#free.length === 0) break;
      if (!this.#lanes.has(other)) await this.#start(store, other, signal);
    }
    try {
      return await lane.arrival;
    } catch (error) {
      this.#release(lane); // a later call may succeed
      throw error;
    }
  }

  /** Starts the request for `cell`; a chunk that was fetched for nothing gives way. */
  async #start(store: ChunkStore, cell: number, signal?: AbortSignal): Promise<Lane> {
    if (this.#free.length === 0) {
      const [oldest] = this.#lanes.values();
      await Promise.allSettled([oldest!.arrival]);
      this.#release(oldest!);
    }
    const lane = this.#free.pop()!;
    const into = this.#place(lane);
    const arrival = Promise.resolve(store.fill(this.keyOf(cell), into, signal)).then((n) => stored(into, n));
    const started = { cell, lane, arrival };
    const ended = arrival.then(() => {}, () => this.#release(started)).then(() =>
      void this.#pending.delete(ended)
    );
    this.#pending.add(ended);
    this.#lanes.set(cell, started);
    return started;
  }

  #release(lane: Lane): void {
    if (this.#lanes.get(lane.cell) === lane) {
      this.#lanes.delete(lane.cell);
      this.#free.push(lane.lane);
    }
    if (this.#used === lane) this.#used = undefined;
  }

  #place(lane: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, this.address + lane * this.largest, this.largest);
  }
}

/** Places of chunks that have entries of their own: nothing is known before they are read. */
export function keyedPlaces({ count, largest, all }: Pick<Places, "count" | "largest" | "all">): Places {
  return {
    count,
    largest,
    all,
    has: () => false,
    isBlank: () => false,
    address: () => 0,
    size: () => 0,
    file: (cell) => cell,
    find: () => Promise.resolve(),
  };
}

function stored(into: Uint8Array, bytes: number): Stored {
  return bytes < 0 ? undefined : into.subarray(0, bytes);
}
