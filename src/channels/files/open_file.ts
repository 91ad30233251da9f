/**
 * An open file, and where its next transfer starts.
 *
 * @module
 */

import { MAX_SLOTS } from "../protocol/channel.ts";
import { STATUS } from "../protocol/status.ts";
import { type FileMode, WHENCE } from "./modes.ts";

/** What a table knows of an open file. */
export interface OpenFile {
  /** Its handle. */
  readonly handle: number;
  /** Its number in the back end. */
  readonly file: number;
  /** What it can do. */
  readonly mode: FileMode;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** The byte where a transfer starts. */
  cursor: number;
  /** Size of the file when it was last asked for: reads below it need not ask again. */
  known: number;
  /** The negative status that cut the latest transfer short, or 0. */
  trouble: number;
}

/** The byte where a transfer starts, or -1 where there is none; `NaN` where that depends on the size, and none is given. */
export function placeOf(open: OpenFile, whence: number, offset: number, size = NaN): number {
  const bytes = offset * open.elementSize;
  if (whence === WHENCE.begin) return valid(bytes);
  if (whence === WHENCE.current) return valid(open.cursor + bytes);
  if (whence !== WHENCE.end) return -1;
  return Number.isNaN(size) ? NaN : valid(size + bytes);
}

function valid(place: number): number {
  return Number.isSafeInteger(place) && place >= 0 ? place : -1;
}

/** Notes that `got` of `bytes` bytes were read at `start`: the whole elements among them. */
export function arrived(open: OpenFile, start: number, bytes: number, got: number): number {
  if (!(got >= 0 && got <= bytes)) return open.trouble = -STATUS.io; // of a back end that does not keep its word
  const elements = Math.floor(got / open.elementSize);
  open.cursor = start + elements * open.elementSize;
  if (got < bytes) open.known = start + got; // it has become shorter
  open.trouble = 0;
  return elements;
}

// Numbered places for open files. A handle says generation, channel and place, so that a stale handle finds nothing.
//
// ```text
//   bit  30      29 … 20     19 … 10   9 … 0
//        group   generation  channel   place
// ```
//
// The bit `group` is added by work groups, see `group_calls.ts`. A place that becomes free is used again after all others, with
// another generation: a handle comes again after 1023 × 1024 files at the earliest, if few are open at a time.

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
