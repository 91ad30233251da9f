/**
 * Supplies views with the samples of tiles: from the cache, or from the loader. A tile that several views wait for is
 * loaded once.
 *
 * Samples are copied to a view at the moment when both its place and the tile are there, on the thread that hands out
 * the views: a copy takes less time than a message to a worker and back. So a view never keeps a tile in the cache, and
 * a cache of one tile is enough for any view.
 *
 * @module
 */

import { fromWire, isTilewiseError, TilewiseError } from "../../errors.ts";
import type { Lease } from "../../memory/arena.ts";
import { reasonOf } from "../../reason.ts";
import { sameShape, type Shape } from "../../space/shape.ts";
import type { CachePolicy } from "../prediction.ts";
import { type CachedTile, TileCache } from "./cache.ts";
import type { PartCopier, Placed, TilePart } from "./copy_part.ts";
import type { Work } from "./crew.ts";
import type { TileDone, TileTask } from "./loaders/job.ts";
import { keyOf, type LevelPlan } from "./levels.ts";
import { isBefore, type Uses, type ViewRequest } from "./requests.ts";
import { TimeLimit } from "./failures.ts";
import type { Counting } from "./statistics.ts";

/** A view that is being put together. */
export interface ViewInProgress {
  /** Its request. */
  readonly request: ViewRequest;
  /** Its memory; it may be exchanged for that of a tile. */
  lease: Lease;
  /** Why it is not wanted any more. */
  cancelled?: { readonly reason: unknown };
}

/** A view that waits for a tile. */
interface Waiter {
  readonly view: ViewInProgress;
  readonly take: (tile: CachedTile, alone: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Where samples of a tile go. */
interface Target {
  readonly place: number;
  readonly placed: Placed;
  /** Whether no other view waits for the tile. */
  readonly alone: boolean;
}

/** A tile that is wanted or is being loaded. */
interface Pending {
  readonly key: number;
  readonly place: number;
  readonly index: Shape;
  readonly waiters: Set<Waiter>;
  /** Its slot, once it is being loaded. */
  tile: CachedTile | undefined;
  attempts: number;
  controller: AbortController;
}

/** What a supply works with. */
interface SupplyOptions {
  readonly levels: readonly LevelPlan[];
  readonly slots: Lease[];
  readonly copier: PartCopier;
  readonly uses: Uses;
  readonly counting: Counting;
  readonly policy: CachePolicy;
  readonly retries: number;
  /** Milliseconds without any tile after which those who wait are told. */
  readonly loadTimeout: number;
  /** Levels whose tiles stay. */
  readonly keep: readonly number[];
  /** Path or name of the data. */
  readonly name: string;
}

/** The tiles of a session. */
export class TileSupply implements Work {
  readonly #cache: TileCache;
  readonly #pending = new Map<number, Pending>();
  readonly #idle: (() => void)[] = [];
  readonly #limit: TimeLimit;
  #closed = false;

  /** An empty cache over `slots`. */
  constructor(private readonly options: SupplyOptions) {
    const { slots, policy, keep, loadTimeout } = options;
    this.#limit = new TimeLimit(loadTimeout, () => this.#giveUp());
    const nextUse = policy === "plan" || keep.length > 0 ? (key: number) => this.#nextUse(key) : undefined;
    this.#cache = new TileCache(slots.length, nextUse);
  }

  /** When a tile is needed next. Of a tile that is being loaded, the views that wait for it do not count. */
  #nextUse(key: number): number {
    const { uses, policy, keep, levels } = this.options;
    if (keep.length > 0 && keep.includes(levels.findLast(({ firstKey }) => firstKey <= key)!.level)) {
      return -1;
    }
    return policy === "plan" ? uses.next(key, this.#pending.get(key)?.waiters.size) : Infinity;
  }

  /**
   * Copies parts of tiles of the level at `place` to `view`; resolves when all are there. Tiles that are in the cache
   * come first: then they may leave for others.
   */
  async fill(view: ViewInProgress, place: number, parts: readonly TilePart[], placed: Placed): Promise<void> {
    if (view.cancelled) throw view.cancelled.reason;
    const missing: TilePart[] = [];
    const { time } = this.options.counting;
    const started = performance.now();
    for (const part of parts) {
      const tile = this.#find(keyOf(this.options.levels[place]!, part.index));
      if (tile) this.#deliver(tile, part, view, { place, placed, alone: true });
      else missing.push(part);
    }
    if (missing.length < parts.length) time.copying += performance.now() - started;
    if (missing.length > 0) await Promise.all(missing.map((part) => this.#wait(view, place, part, placed)));
  }

  /** A view does not wait for tiles any more: it gets `error`. Tiles that nobody else waits for are not loaded. */
  leave(view: ViewInProgress, error: unknown): void {
    for (const pending of this.#pending.values()) {
      for (const waiter of pending.waiters) {
        if (waiter.view !== view) continue;
        pending.waiters.delete(waiter);
        waiter.fail(error);
      }
      if (pending.waiters.size > 0) continue;
      if (pending.tile) pending.controller.abort();
      else this.#pending.delete(pending.key);
    }
    this.#watch();
    this.#wake(); // tiles may leave the cache now
  }

  /** The next tile to load: that of the earliest request. Waits for one; absent when the session is over. */
  async next(): Promise<TileTask | undefined> {
    while (!this.#closed) {
      const task = this.#start();
      if (task) return task;
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    return undefined;
  }

  /** Takes a tile that has been loaded, or has failed. */
  done({ key, took, error }: TileDone): void {
    const { counting } = this.options;
    const pending = this.#pending.get(key);
    if (!pending?.tile || this.#closed) return;
    this.#pending.delete(key);
    counting.now.tiles--;
    counting.time.loading += took;
    if (error) this.#failed(pending, fromWire(error));
    else this.#loaded(pending, pending.tile);
    this.#limit.end(); // from here on it runs again
    this.#watch();
    this.#wake();
  }

  /** Fires when nobody waits for tile `key` any more. */
  signalOf(key: number): AbortSignal {
    return this.#pending.get(key)!.controller.signal;
  }

  /** Nothing is loaded any more. */
  close(error: unknown): void {
    this.#closed = true;
    this.#limit.end();
    for (const { waiters, controller } of this.#pending.values()) {
      controller.abort(error);
      for (const { fail } of waiters) fail(error);
    }
    this.#pending.clear();
    this.#wake();
  }

  #find(key: number): CachedTile | undefined {
    const { counting: { tiles } } = this.options;
    const pending = this.#pending.get(key);
    const tile = pending ? undefined : this.#cache.find(key);
    if (tile) tiles.hits++;
    else tiles.misses++;
    if (pending) tiles.joined++;
    return tile;
  }

  #wait(view: ViewInProgress, place: number, part: TilePart, placed: Placed): Promise<void> {
    const { index } = part;
    const key = keyOf(this.options.levels[place]!, index);
    return new Promise((resolve, reject) => {
      const take = (tile: CachedTile, alone: boolean) => {
        this.#deliver(tile, part, view, { place, placed, alone });
        resolve();
      };
      let pending = this.#pending.get(key);
      if (!pending) {
        const waiters = new Set<Waiter>();
        const controller = new AbortController();
        pending = { key, place, index, waiters, tile: undefined, attempts: 0, controller };
        this.#pending.set(key, pending);
        this.#wake();
      }
      pending.waiters.add({ view, take, fail: reject });
      this.#watch();
    });
  }

  /** Lets the time run while somebody waits for a tile. */
  #watch(): void {
    this.#limit.watch([...this.#pending.values()].some(({ waiters }) => waiters.size > 0));
  }

  /** No tile has come for a long time: everybody who waits is told. Loads that go on keep their slots until they end. */
  #giveUp(): void {
    const { loadTimeout, counting: { tiles } } = this.options;
    for (const pending of [...this.#pending.values()]) {
      const { key, waiters, tile, controller } = pending;
      if (waiters.size === 0) continue;
      const text = `no tile has come for ${loadTimeout / 1000} s (option loadTimeout)`;
      const late = new TilewiseError("timeout", text, { option: "loadTimeout", expected: loadTimeout });
      const located = this.#located(pending, late);
      tiles.failed++;
      for (const { fail } of waiters) fail(located);
      waiters.clear();
      if (tile) controller.abort(late);
      else this.#pending.delete(key);
    }
    this.#wake();
  }

  #start(): TileTask | undefined {
    const { levels, slots, counting: { tiles, now, most } } = this.options;
    const pending = this.#first();
    const tile = pending && this.#cache.add(pending.key);
    if (!tile) return undefined;
    tiles.evictions = this.#cache.counts.evictions;
    pending.tile = tile;
    most.tiles = Math.max(most.tiles, ++now.tiles);
    const { key, place, index } = pending;
    return { key, place, index, pointer: slots[tile.slot]!.offset, bytes: levels[place]!.tileBytes };
  }

  /** The tile that is wanted first. */
  #first(): Pending | undefined {
    let [found, first]: [Pending | undefined, ViewRequest | undefined] = [undefined, undefined];
    for (const pending of this.#pending.values()) {
      if (pending.tile) continue;
      for (const { view: { request } } of pending.waiters) {
        if (!first || isBefore(request, first)) [found, first] = [pending, request];
      }
    }
    return found;
  }

  #loaded({ waiters, place }: Pending, tile: CachedTile): void {
    const { levels, counting: { tiles, bytes, time } } = this.options;
    tiles.loads++;
    bytes.loaded += levels[place]!.tileBytes;
    tile.pins = 0;
    const alone = waiters.size === 1;
    const started = performance.now();
    for (const { take } of waiters) take(tile, alone);
    time.copying += performance.now() - started;
  }

  #failed(pending: Pending, error: Error): void {
    const { retries, counting: { tiles } } = this.options;
    const { key, waiters, tile, controller, attempts } = pending;
    this.#cache.drop(tile!);
    if (waiters.size === 0) return;
    const dropped = controller.signal.aborted; // nobody waited for it, and now somebody does
    if (dropped || attempts < retries) {
      if (!dropped) tiles.retried++;
      const again = {
        tile: undefined,
        attempts: attempts + (dropped ? 0 : 1),
        controller: new AbortController(),
      };
      this.#pending.set(key, { ...pending, ...again });
      return;
    }
    tiles.failed++;
    const located = this.#located(pending, error);
    for (const { fail } of waiters) fail(located);
  }

  #located({ place, index, attempts }: Pending, error: Error): TilewiseError {
    const { levels, name } = this.options;
    const { level } = levels[place]!;
    const tile = index.join(", ");
    const times = attempts > 0 ? ` (tried ${attempts + 1} times)` : "";
    const text = `Cannot load tile (${tile}) of level ${level} of ${name}${times}: ${reasonOf(error)}`;
    const known = isTilewiseError(error);
    const details = { ...(known ? error.details : {}), file: name, tile, level };
    return new TilewiseError(known ? error.code : "udf", text, details, { cause: error });
  }

  /** Puts a part of a tile into a view, or gives the view the memory of the tile. */
  #deliver(tile: CachedTile, part: TilePart, view: ViewInProgress, to: Target): void {
    const { place, placed } = to;
    const { levels, slots, copier, uses, counting } = this.options;
    uses.remove(view.request.number, [tile.key]);
    if (to.alone && this.#fits(tile, part, view, to)) {
      const slot = slots[tile.slot]!;
      slots[tile.slot] = view.lease;
      view.lease = slot;
      this.#cache.drop(tile);
      counting.views.withoutCopy++;
      return;
    }
    const { tiles } = levels[place]!;
    counting.bytes.copied += copier.copy(part.segments, {
      pointer: slots[tile.slot]!.offset,
      shape: tiles.tile,
    }, placed);
  }

  /** Whether the view is this tile and nothing else, and no known request needs the tile again. */
  #fits(tile: CachedTile, { segments }: TilePart, view: ViewInProgress, { place, placed }: Target): boolean {
    const { levels, slots, uses, policy } = this.options;
    const { tiles: { tile: shape }, views: { dtype, array } } = levels[place]!;
    return dtype === array.dtype && policy === "plan" && view.request.batch.receiver.planned &&
      sameShape(placed.shape, shape) &&
      segments.every(({ count, step }, d) => count === shape[d] && step === 1) &&
      slots[tile.slot]!.byteLength === view.lease.byteLength && uses.next(tile.key) === Infinity;
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
