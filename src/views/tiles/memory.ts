/**
 * The memory of a session, added up before anything is read: views, tiles, and what loaders need.
 *
 * @module
 */

import { bytesSent } from "../../dataset/sources.ts";
import { TilewiseError } from "../../errors.ts";
import { account, fits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, type Lease, leasedBytes, roundUp } from "../../memory/arena.ts";
import { type RunContext, workersFor } from "../../runner/context.ts";
import type { Leases } from "../../runner/leases.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { LevelPlan } from "./levels.ts";
import type { Origin } from "./loaders/origin.ts";

/**
 * The memory of views that are loaded from tiles, in bytes. All of it is reserved when they are opened, and nothing
 * else is used.
 * @category Views
 */
export interface LoadingMemory extends MemoryAccount {
  /** Views in memory at the same time: loaded, ready, or held by the caller. */
  readonly views: number;
  /** Bytes of the largest view. */
  readonly view: number;
  /** Tiles in the cache, also those that are being loaded. */
  readonly tiles: number;
  /** Bytes of the largest tile. */
  readonly tile: number;
  /** Workers that load tiles; 0: the calling thread. */
  readonly workers: number;
  /** Bytes per worker to read and decode. */
  readonly loader: number;
  /** Copies of tiles, and of samples in memory, in workers that share no memory with this thread. */
  readonly copies: number;
}

/** What was asked for. */
interface MemoryWishes {
  /** Views that are loaded ahead. */
  readonly ahead?: number | undefined;
  /** Bytes for tiles. */
  readonly cache?: number | undefined;
}

/** Views that are loaded ahead, if the caller says nothing. */
const USUAL_AHEAD = 3;

/**
 * The memory for `levels`. Where the caller said nothing, there are fewer tiles, then fewer views, then fewer workers
 * until it fits; `over-budget`, with the sum, if it does not.
 */
export function memoryFor(
  origin: Origin,
  levels: readonly LevelPlan[],
  context: RunContext,
  { ahead, cache }: MemoryWishes,
): LoadingMemory {
  const budget = context.arenaBudget;
  const all = Math.max(1, levels.reduce((sum, { tiles }) => sum + sizeOf(tiles.counts), 0));
  const tile = leasedBytes(Math.max(...levels.map(({ tileBytes }) => tileBytes)));
  const here = origin.spec.kind === "here";
  const least = here ? 0 : context.leastWorkers;
  const most = here ? 0 : workersFor(context, all);
  const wanted = Math.min(
    all,
    cache === undefined ? usefulTiles(levels, budget, tile) : Math.floor(cache / tile),
  );
  if (wanted < 1) throw noTile(origin, tile, cache!);
  const sum = (views: number, tiles: number, workers: number) =>
    memoryOf(origin, levels, { views, tiles, tile, workers, own: context.ownMemory && !here });
  let [views, tiles, workers] = [(ahead ?? USUAL_AHEAD) + 1, wanted, most];
  for (;;) {
    const memory = sum(views, tiles, workers);
    if (fits(memory, context)) return memory;
    if (cache === undefined && tiles > 1) tiles--;
    else if (ahead === undefined && views > 1) views--;
    else if (workers > least) workers--;
    else {
      const { name, dtype } = origin, shape = showShape(levels[0]!.views.shape);
      const problem = `Cannot open views of ${shape} ${dtype} of ${name}`;
      throw overBudget(problem, memory, context, "smaller tiles, a smaller cache, or ");
    }
  }
}

interface Parts {
  readonly views: number;
  readonly tiles: number;
  readonly tile: number;
  readonly workers: number;
  readonly own: boolean;
}

function memoryOf(
  { loaderBytes, readSources }: Origin,
  levels: readonly LevelPlan[],
  { views, tiles, tile, workers, own }: Parts,
): LoadingMemory {
  const view = leasedBytes(Math.max(...levels.map(({ views }) => views.byteLength)));
  const loader = roundUp(loaderBytes, ALIGNMENT);
  const copies = own ? workers * (tiles * tile + roundUp(bytesSent(readSources), ALIGNMENT)) : 0;
  const held = account([
    { what: "views", each: view, count: views },
    { what: "tiles", each: tile, count: tiles },
    { what: "reading and decoding", each: loader, count: Math.max(1, workers) },
    { what: "copies in processes", each: copies, count: 1 },
  ]);
  return { views, view, tiles, tile, workers, loader, copies, ...held };
}

/**
 * Tiles with which none is loaded twice in row-major order: those of the rows of tiles that a view touches, but for the
 * first, and of the columns. At most half of the budget, but those of one view.
 */
function usefulTiles(levels: readonly LevelPlan[], budget: number, tile: number): number {
  const spans = (level: LevelPlan): Shape =>
    level.tiles.counts.map((count, d) =>
      Math.min(count, Math.ceil(level.views.shape[d]! / level.tiles.tile[d]!) + 1)
    );
  const wanted = levels.map((level) => {
    const { counts } = level.tiles;
    const span = spans(level);
    const first = Math.max(0, counts.findIndex((n) => n > 1));
    return span[first]! * sizeOf(counts.slice(first + 1)) + (span.at(-1) ?? 1);
  });
  const one = Math.max(1, ...levels.map((level) => sizeOf(spans(level))));
  return Math.max(1, Math.min(Math.max(...wanted), Math.max(one, Math.floor(budget / 2 / tile))));
}

function noTile({ name }: Origin, tile: number, cache: number): TilewiseError {
  const text = `Cannot load tiles of ${name} with a cache of ${formatBytes(cache)}: one tile has ${
    formatBytes(tile)
  }`;
  return new TilewiseError("over-budget", text, { option: "cache", expected: tile, found: cache });
}

// The memory of a session: places for views, slots for tiles, slabs for loaders; and what a user holds of it.

/** The places of everything. */
export interface TilePlacement {
  /** For views; the cache may exchange one for a slot of the same size. */
  readonly places: readonly Lease[];
  /** For tiles. */
  readonly slots: Lease[];
  /** For loaders, one per worker. */
  readonly slabs: readonly Lease[];
  /** The memory. */
  readonly memory: WebAssembly.Memory;
}

/** Takes all memory of a session. */
export function placed(leases: Leases, memory: LoadingMemory): TilePlacement {
  const placement = {
    places: leases.many(memory.views, memory.view, "a view"),
    slots: leases.many(memory.tiles, memory.tile, "a tile"),
    slabs: leases.many(memory.loader > 0 ? memory.workers : 0, memory.loader, "a loader of tiles"),
    memory: leases.arena.memory,
  };
  leases.many(memory.copies > 0 ? 1 : 0, memory.copies, "copies of workers");
  return placement;
}

/** A view that a user holds: it is returned after `users` calls of `release`. */
export class HeldView implements Lease {
  #left: number;

  /** Bytes of `lease`, which belongs to the session: `returned` is called after the last release. */
  constructor(
    private readonly lease: Lease,
    readonly byteLength: number,
    readonly label: string,
    readonly generation: number,
    private readonly users: number,
    private readonly returned: () => void,
  ) {
    this.#left = users;
  }

  /** Address of the first sample. */
  get offset(): number {
    if (this.#left === 0) throw this.#stale("use");
    return this.lease.offset;
  }

  /** The samples. */
  bytes(): Uint8Array {
    if (this.#left === 0) throw this.#stale("use");
    return this.lease.bytes().subarray(0, this.byteLength);
  }

  /** Returns it, for one of its users. */
  release(): void {
    if (this.#left === 0) throw this.#stale("return");
    if (--this.#left === 0) this.returned();
  }

  /** Returns it for one of its users, unless all have returned it. */
  [Symbol.dispose](): void {
    if (this.#left > 0) this.release();
  }

  /** Ends it: the session is over. */
  end(): void {
    this.#left = 0;
  }

  #stale(verb: string): TilewiseError {
    const { label, generation, users } = this;
    const times = users === 1 ? "" : ` ${users} times`;
    const text =
      `Cannot ${verb} ${label} (generation ${generation}): it has been returned${times} already, or its ` +
      "reader has been closed";
    return new TilewiseError("lease", text, { generation });
  }
}
