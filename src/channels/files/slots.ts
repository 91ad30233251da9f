/**
 * Numbered places for open files. A handle says generation, channel and place, so that a stale handle finds nothing.
 *
 * ```text
 *   bit  30      29 … 20     19 … 10   9 … 0
 *        group   generation  channel   place
 * ```
 *
 * The bit `group` is added by work groups, see `group_calls.ts`. A place that becomes free is used again after all others, with
 * another generation: a handle comes again after 1023 × 1024 files at the earliest, if few are open at a time.
 *
 * @module
 */

import { MAX_SLOTS } from "../protocol/channel.ts";

const GENERATIONS = 1023;

/** The places. */
export class Slots<T extends { readonly handle: number }> {
  readonly #items: (T | undefined)[] = [];
  readonly #generations = new Uint16Array(MAX_SLOTS);
  /** A ring of places: `#count` of them are taken, the free ones begin at `#next`. */
  readonly #ring = Uint16Array.from({ length: MAX_SLOTS }, (_, place) => place);
  #next = 0;
  #count = 0;

  /** How many are taken. */
  get count(): number {
    return this.#count;
  }

  /** Puts what `make` makes of a new handle; the handle, or 0 if all places are taken. */
  put(channel: number, make: (handle: number) => T): number {
    if (this.#count === MAX_SLOTS) return 0;
    const place = this.#ring[this.#next]!;
    const generation = this.#generations[place]! % GENERATIONS + 1;
    const handle = generation << 20 | channel << 10 | place;
    this.#items[place] = make(handle);
    this.#generations[place] = generation;
    this.#next = (this.#next + 1) % MAX_SLOTS;
    this.#count++;
    return handle;
  }

  /** What has this handle. */
  find(handle: number): T | undefined {
    const item = this.#items[handle & (MAX_SLOTS - 1)];
    return item !== undefined && item.handle === handle ? item : undefined;
  }

  /** Takes out what has this handle; its place is the last to be used again. */
  take(handle: number): T | undefined {
    const item = this.find(handle);
    if (item === undefined) return undefined;
    const place = handle & (MAX_SLOTS - 1);
    this.#items[place] = undefined;
    this.#ring[(this.#next + MAX_SLOTS - this.#count) % MAX_SLOTS] = place;
    this.#count--;
    return item;
  }

  /** All that are there. */
  all(): T[] {
    return this.#items.filter((item) => item !== undefined);
  }
}
