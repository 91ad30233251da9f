/**
 * Requests for views, and the order in which they are served. A request for many views is a batch: its views are made
 * one after another, so that a request for all views of a large array takes no memory for all of them.
 *
 * @module
 */

import type { Resolvers } from "../../portable.ts";
import type { Shape } from "../../space/shape.ts";
import type { TiledView } from "./tiled_view.ts";

/** Requests of a batch that are known ahead, for the choice of the tiles that leave the cache. */
const LOOK_AHEAD = 8192;
/** How many more of them become known each time that one is served. */
const STEP = 64;

/** Where a view is. */
export interface Target {
  /** Place of its level in the list of levels. */
  readonly place: number;
  /** Index of its tile. */
  readonly index: Shape;
}

/** One requested view. */
export interface ViewRequest extends Target {
  /** Its batch. */
  readonly batch: Batch;
  /** Smaller numbers were requested earlier. */
  readonly number: number;
  /** Tiles that it needs, as far as they are near it. */
  readonly tiles: readonly number[];
}

/** Whether `a` is served before `b`: larger priority first, then earlier request. */
export function isBefore(a: ViewRequest, b: ViewRequest): boolean {
  const [first, second] = [a.batch.priority, b.batch.priority];
  return first === second ? a.number < b.number : first > second;
}

/** Who gets the views of a batch. */
export interface Receiver {
  /** The promise that gets the view; absent: the iterator. */
  readonly read?: Resolvers<TiledView>;
  /** Whether the batch was made by a request for several views, so that the future is known. */
  readonly planned: boolean;
}

/** Views that were requested together. */
export class Batch {
  /** Larger ones are served first. */
  priority: number;
  /** Called when none of its views is being loaded or will be. */
  over: (() => void) | undefined;
  /** Requests that are known and have not been served. */
  readonly window: ViewRequest[] = [];
  readonly #targets: Iterator<Target>;
  /** The error of the iterable of targets, which comes after the targets before it. */
  broken: { readonly error: unknown } | undefined;
  #next = 0;
  #ended = false;

  /** Batch number `number` of `targets`. */
  constructor(
    private readonly number: number,
    targets: Iterable<Target>,
    readonly receiver: Receiver,
    priority: number,
    private readonly tilesOf: (target: Target) => readonly number[],
    private readonly uses: Uses,
  ) {
    this.priority = priority;
    this.#targets = targets[Symbol.iterator]();
    this.look(1);
  }

  /** Makes `more` more requests known; the last step finds out whether there are any. */
  look(more: number = STEP): void {
    for (let i = 0; i < more && !this.#ended && this.window.length < LOOK_AHEAD; i++) {
      const step = this.#targets.next();
      if (step.done) this.#ended = true;
      else this.#add(step.value);
    }
  }

  /** Removes the next request. */
  take(): ViewRequest | undefined {
    const request = this.window.shift();
    try {
      this.look();
    } catch (error) {
      this.#ended = true;
      this.broken = { error };
    }
    return request;
  }

  /** Drops all requests that have not been served. */
  drop(): ViewRequest[] {
    this.#ended = true;
    this.#targets.return?.();
    const dropped = this.window.splice(0);
    for (const { number, tiles } of dropped) this.uses.remove(number, tiles);
    return dropped;
  }

  #add(target: Target): void {
    const number = this.number * 2 ** 32 + this.#next++;
    const tiles = this.tilesOf(target);
    this.uses.add(number, tiles);
    this.window.push({ ...target, batch: this, number, tiles });
  }
}

/** Batches that have not been served. */
export class RequestQueue {
  readonly #batches: Batch[] = [];

  /**
   * `ordered`: requests are served in the order in which they were made, whatever their priority. `broken` gets the error
   * of a batch that cannot say what it requests.
   */
  constructor(private readonly ordered: boolean, private readonly broken: (error: unknown) => void) {}

  /** Whether requests for the iterator wait. */
  get streaming(): boolean {
    return this.#batches.some(({ receiver }) => !receiver.read);
  }

  /** Known requests that wait. */
  get length(): number {
    return this.#batches.reduce((sum, { window }) => sum + window.length, 0);
  }

  /** Adds a batch. */
  add(batch: Batch): void {
    if (batch.window.length > 0) this.#batches.push(batch);
  }

  /** The next request, removed; absent if none waits. */
  take(): ViewRequest | undefined {
    const batch = this.#first();
    const request = batch?.take();
    if (batch?.window.length !== 0) return request;
    this.remove(batch);
    if (batch.broken) this.broken(batch.broken.error);
    return request;
  }

  /** Removes a batch. */
  remove(batch: Batch): void {
    const at = this.#batches.indexOf(batch);
    if (at >= 0) this.#batches.splice(at, 1);
  }

  /** All batches. */
  get batches(): readonly Batch[] {
    return this.#batches;
  }

  #first(): Batch | undefined {
    if (this.ordered) return this.#batches[0];
    return this.#batches.reduce<Batch | undefined>(
      (best, batch) => best && best.priority >= batch.priority ? best : batch,
      undefined,
    );
  }
}

// When each tile is needed next, as far as requests are known.

/** The uses of tiles by known requests, in the order of the requests. */
export class Uses {
  /** Numbers of the requests that need a tile, ascending. */
  readonly #uses = new Map<number, number[]>();

  /** Notes that request `number` needs tiles. */
  add(number: number, tiles: Iterable<number>): void {
    for (const key of tiles) {
      const uses = this.#uses.get(key);
      if (!uses) this.#uses.set(key, [number]);
      else if (uses.at(-1)! < number) uses.push(number);
      else uses.splice(uses.findIndex((other) => other > number), 0, number);
    }
  }

  /** Notes that request `number` does not need tiles any more. */
  remove(number: number, tiles: Iterable<number>): void {
    for (const key of tiles) {
      const uses = this.#uses.get(key);
      const at = uses?.indexOf(number) ?? -1;
      if (at >= 0) uses!.splice(at, 1);
      if (uses?.length === 0) this.#uses.delete(key);
    }
  }

  /** The first request that needs tile `key`, or the one after `skip` others; `Infinity` if none is known. */
  next(key: number, skip: number = 0): number {
    return this.#uses.get(key)?.[skip] ?? Infinity;
  }
}
