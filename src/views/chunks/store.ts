/**
 * Decoded chunks that the workers of a run share: each chunk is decoded by the worker that needs it first, while others
 * that need it wait, or copy other chunks.
 *
 * The store is a range of shared memory: a table, then the places of the chunks.
 *
 * ```text
 *   lock  clock | cell + 1  state  pins  stamp  uses | …one row for every place | chunk | chunk | …
 * ```
 *
 * A place whose chunk nobody copies from (no pins) may be taken for another chunk: first that of a chunk that all views
 * have seen which show it, then the least recently used one. Without the first rule a store would have to hold a whole row
 * of chunks more before nothing is decoded twice, as what was used last is what no later view needs. The lock is held for a look at the table only. A worker that dies may leave a chunk that never arrives, or the
 * lock: nobody waits for ever, but decodes the chunk for itself.
 *
 * @module
 */

import type { MemoryRows } from "../../executor/task.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import type { Grid } from "../../space/box.ts";
import type { Halo } from "../../space/halo.ts";
import type { Shape } from "../../space/shape.ts";

const [LOCK, CLOCK, ROWS] = [0, 1, 2];
/** Entries of a row. */
const [CELL, STATE, PINS, STAMP, USES, ROW] = [0, 1, 2, 3, 4, 5];
/** The stamp of chunks that nobody needs any more; others have a later one. */
const DONE = 0;
const [EMPTY, LOADING, READY] = [0, 1, 2];
/** Milliseconds after which a worker counts as dead that holds the lock, or loads a chunk. */
const [LOCK_PATIENCE, LOAD_PATIENCE] = [200, 5000];

/** Bytes of a store of `slots` chunks. */
export function storeBytes(chunk: number, slots: number): number {
  return tableBytes(slots) + chunk * slots;
}

function tableBytes(slots: number): number {
  return roundUp(4 * (ROWS + ROW * slots), ALIGNMENT);
}

/** The table of a store: workers that share no memory with who has cleared it are sent these bytes. */
export function tableOf({ offset, slots }: Pick<StorePlace, "offset" | "slots">): MemoryRows {
  return { offset, bytes: tableBytes(slots) };
}

/** Where a store lies. */
export interface StorePlace {
  /** Its address. */
  readonly offset: number;
  /** Bytes of a chunk. */
  readonly chunk: number;
  /** How many chunks it holds. */
  readonly slots: number;
  /** In how many views chunks are, where that is known. */
  readonly uses?: ChunkUses;
}

/** A chunk in the store: it stays until it is released. */
export interface HeldChunk {
  /** The number of its place. */
  readonly slot: number;
  /** Its address. */
  readonly pointer: number;
  /** Whether it has to be filled, by {@link ChunkStore.loaded} or {@link ChunkStore.failed} in the end. */
  readonly fill: boolean;
}

/** The store, as one worker sees it. */
export class ChunkStore {
  readonly #table: Int32Array;
  readonly #first: number;

  /** The store at `place` of `memory`. */
  constructor(memory: WebAssembly.Memory, private readonly place: StorePlace) {
    const { offset, slots } = place;
    this.#table = new Int32Array(memory.buffer, offset, ROWS + ROW * slots);
    this.#first = offset + tableBytes(slots);
  }

  /** Makes the store empty; nobody may use it. */
  clear(): void {
    this.#table.fill(0);
  }

  /**
   * The chunk `cell`, or a place to fill. `busy`: another worker loads it, and `wait` is false. `none`: there is no place
   * for it, or the worker that loads it does not finish. `uses`: how often it is taken in all.
   */
  take(cell: number, wait: boolean, uses: number = Infinity): HeldChunk | "busy" | "none" {
    const until = performance.now() + LOAD_PATIENCE;
    for (;;) {
      if (!this.#lock()) return "none";
      let row = this.#rowOf(cell);
      const state = row < 0 ? EMPTY : Atomics.load(this.#table, row + STATE);
      if (state !== LOADING) {
        if (row < 0) row = this.#free();
        if (row >= 0) this.#hold(row, cell, state, uses);
        this.#unlock();
        return row < 0 ? "none" : this.#held(row, state !== READY);
      }
      this.#unlock();
      if (!wait) return "busy";
      if (performance.now() > until) return "none";
      Atomics.wait(this.#table, row + STATE, LOADING, 100);
    }
  }

  /** The chunk has been filled. */
  loaded({ slot }: HeldChunk): void {
    this.#settle(slot, READY);
  }

  /** The chunk could not be filled: whoever needs it tries by itself. */
  failed({ slot }: HeldChunk): void {
    const row = ROWS + ROW * slot;
    Atomics.store(this.#table, row + CELL, 0);
    this.#settle(slot, EMPTY);
    this.release({ slot });
  }

  /** The chunk is not needed any more. */
  release({ slot }: Pick<HeldChunk, "slot">): void {
    Atomics.sub(this.#table, ROWS + ROW * slot + PINS, 1);
  }

  #settle(slot: number, state: number): void {
    const at = ROWS + ROW * slot + STATE;
    Atomics.store(this.#table, at, state);
    Atomics.notify(this.#table, at);
  }

  #held(row: number, fill: boolean): HeldChunk {
    const slot = (row - ROWS) / ROW;
    return { slot, pointer: this.#first + slot * this.place.chunk, fill };
  }

  #hold(row: number, cell: number, state: number, uses: number): void {
    const table = this.#table;
    Atomics.add(table, row + PINS, 1);
    if (state !== READY) Atomics.store(table, row + USES, 0);
    const isLast = Atomics.add(table, row + USES, 1) + 1 >= uses;
    Atomics.store(table, row + STAMP, isLast ? DONE : Atomics.add(table, CLOCK, 1) + 1);
    if (state === READY) return;
    Atomics.store(table, row + CELL, cell + 1);
    Atomics.store(table, row + STATE, LOADING);
  }

  #rowOf(cell: number): number {
    const table = this.#table;
    for (let row = ROWS; row < table.length; row += ROW) if (table[row + CELL] === cell + 1) return row;
    return -1;
  }

  /** The row whose chunk nobody needs, or which was used least recently, of those that nobody uses. */
  #free(): number {
    const table = this.#table;
    let best = -1;
    for (let row = ROWS; row < table.length; row += ROW) {
      if (Atomics.load(table, row + PINS) !== 0) continue;
      if (table[row + CELL] === 0) return row;
      if (best < 0 || table[row + STAMP]! < table[best + STAMP]!) best = row;
    }
    return best;
  }

  #lock(): boolean {
    const until = performance.now() + LOCK_PATIENCE;
    while (Atomics.compareExchange(this.#table, LOCK, 0, 1) !== 0) {
      if (performance.now() > until) return false;
      Atomics.wait(this.#table, LOCK, 1, 1);
    }
    return true;
  }

  #unlock(): void {
    Atomics.store(this.#table, LOCK, 0);
    Atomics.notify(this.#table, LOCK, 1);
  }
}

// Which views show a chunk: after the last of them, nobody needs it any more.

/** Per dimension, for each row of chunks: how many rows of views touch it. A chunk is in as many views as their product. */
export type ChunkUses = readonly Shape[];

/** Views, as far as chunks depend on them. */
export interface ViewsOfChunks {
  /** Tiles of the array. */
  readonly grid: Grid;
  /** Samples around tiles. */
  readonly halo: Halo;
}

/** The first and the last row of tiles whose views touch a row of chunks. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** The uses of chunks of shape `chunk`. Borders that show other chunks again are not counted. */
export function chunkUses(views: ViewsOfChunks, chunk: Shape): ChunkUses {
  return chunk.map((_, d) => spansOf(views, chunk, d).map(({ first, last }) => last - first + 1));
}

function spansOf({ grid: { shape, tile, counts }, halo }: ViewsOfChunks, chunk: Shape, d: number): Span[] {
  const [n, size, step] = [shape[d]!, tile[d]!, chunk[d]!];
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => {
    const [start, stop] = [k * step, Math.min(n, (k + 1) * step)];
    const first = Math.max(0, Math.floor((start - halo.back[d]!) / size));
    return { first, last: Math.min(counts[d]!, Math.ceil((stop + halo.front[d]!) / size)) - 1 };
  });
}

/**
 * The most chunks of a plane that were seen and will be seen again, or are seen now, while views come row by row. A view
 * touches `columns` chunks of a row, of `row` chunks. While a row of tiles is on its way, rows of chunks are needed from
 * before until after it (`kept`), or up to it (`ends`), or from it on (`begins`), or for this one only: what has ended on
 * one side of the view makes room for what begins on the other.
 */
export function chunksInUse(views: ViewsOfChunks, chunk: Shape, row: number, columns: number): number {
  const d = chunk.length - 2;
  if (d < 0) return columns;
  const rows = Array.from(
    { length: views.grid.counts[d]! },
    () => ({ kept: 0, ends: 0, begins: 0, once: 0 }),
  );
  for (const { first, last } of spansOf(views, chunk, d)) {
    for (let t = first; t <= last; t++) {
      const kind = first === last ? "once" : t === first ? "begins" : t === last ? "ends" : "kept";
      rows[t]![kind]++;
    }
  }
  return rows.reduce((most, { kept, ends, begins, once }) => {
    return Math.max(most, (kept + Math.max(ends, begins)) * row + (Math.min(ends, begins) + once) * columns);
  }, 0);
}
