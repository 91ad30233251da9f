/**
 * What a thread is doing, written where another thread can read it, even when the first thread never answers again.
 *
 * A board lies in shared memory, where there is such memory. Its thread writes on it which code of users it is about to call, and gives signs of life
 * while it waits for something that has a deadline of its own. Each costs one or two stores, read or not.
 *
 * @module
 */

import { newBuffer } from "./sharing.ts";

/** Something that a thread does. */
export interface Activity {
  /** In words, such as `merge() of UDF "mine"`. */
  readonly text: string;
  /** For the details of an error. */
  readonly details: Readonly<Record<string, string>>;
  /** Whether it is code of Tilewise, which may take long but comes back. */
  readonly ours?: boolean;
}

const CURRENT = 0; // number of the entry of the current activity; 0: none
const BEAT = 1;
const HEAD = 64; // bytes in front of the entries
const ENTRY = 512; // bytes of an entry: its length, then JSON
const ENTRIES = 64;
const MOST_LETTERS = 60; // of each text in an entry, so that it fits

/** The board of one thread. */
export class Board {
  readonly #cells: Int32Array;
  readonly #numbers = new Map<Activity, number>();
  readonly #activities: Activity[] = [];
  #last = 0;

  /** An empty board, or the one that lies in `buffer`. */
  constructor(
    /** What travels to the other thread. */
    readonly buffer: ArrayBufferLike = newBuffer(HEAD + ENTRY * ENTRIES),
  ) {
    this.#cells = new Int32Array(buffer, 0, HEAD / 4);
  }

  /** Changes with every sign of life. */
  get beat(): number {
    return Atomics.load(this.#cells, BEAT);
  }

  /** A sign of life. */
  alive(): void {
    Atomics.add(this.#cells, BEAT, 1);
  }

  /** Notes that the activity with this number begins; returns the number of the previous one, for {@link end}. */
  begin(number: number): number {
    this.alive();
    return Atomics.exchange(this.#cells, CURRENT, number);
  }

  /** Notes that the current activity has ended and `before` continues. */
  end(before: number): void {
    Atomics.store(this.#cells, CURRENT, before);
  }

  /** The number of an activity, by identity; when all numbers are in use, the oldest activity loses its number. */
  numberOf(activity: Activity): number {
    return this.#numbers.get(activity) ?? this.#enter(activity);
  }

  #enter(activity: Activity): number {
    const number = this.#last = this.#last % (ENTRIES - 1) + 1;
    const old = this.#activities[number];
    if (old) this.#numbers.delete(old);
    this.#activities[number] = activity;
    this.#numbers.set(activity, number);
    const bytes = new TextEncoder().encode(JSON.stringify(shortened(activity))).subarray(0, ENTRY - 4);
    this.#entry(number).set(bytes, 4);
    new Int32Array(this.buffer, HEAD + ENTRY * number, 1)[0] = bytes.length;
    return number;
  }

  /** The current activity, if there is one. */
  get current(): Activity | undefined {
    const number = Atomics.load(this.#cells, CURRENT);
    if (number <= 0 || number >= ENTRIES) return undefined;
    const length = new Int32Array(this.buffer, HEAD + ENTRY * number, 1)[0]!;
    const bytes = this.#entry(number).slice(4, 4 + length); // text is not decoded from shared memory
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return undefined; // it is being written
    }
  }

  #entry(number: number): Uint8Array {
    return new Uint8Array(this.buffer, HEAD + ENTRY * number, ENTRY);
  }
}

function shortened({ text, details, ours }: Activity): Activity {
  const short = (part: string) => part.length > MOST_LETTERS ? `${part.slice(0, MOST_LETTERS)}…` : part;
  const entries = Object.entries(details).slice(0, 2).map(([name, value]) => [name, short(value)]);
  return { text: short(text), details: Object.fromEntries(entries), ...(ours ? { ours } : {}) };
}

let own: Board | undefined;

/** Makes this thread write on `board`; `undefined`: on none. */
export function useBoard(board: Board | undefined): void {
  own = board;
}

/** Whether this thread has a board, which another thread watches. */
export function isWatched(): boolean {
  return own !== undefined;
}

/** A sign of life of this thread, if it is watched. */
export function alive(): void {
  own?.alive();
}

/** Notes that `activity` begins on this thread; pass the result to {@link end}. */
export function begin(activity: Activity): number {
  return own ? own.begin(own.numberOf(activity)) : 0;
}

/** Notes that the current activity has ended and `before` continues. */
export function end(before: number): void {
  own?.end(before);
}

/**
 * Runs `work`, with `activity` noted on the board of this thread meanwhile.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const board = new Board();
 * useBoard(board);
 * during({ text: "counting", details: {} }, () => assertEquals(board.current?.text, "counting"));
 * assertEquals(board.current, undefined);
 * useBoard(undefined);
 * ```
 */
export function during<T>(activity: Activity, work: () => T): T {
  const before = begin(activity);
  try {
    return work();
  } finally {
    end(before);
  }
}

/** Milliseconds between the signs of life of a thread that waits. */
const TICK = 100;

/** Waits for `work`, which ends by itself, and gives signs of life meanwhile. */
export async function waiting<T>(work: () => Promise<T>): Promise<T> {
  if (!own) return await work();
  const timer = setInterval(alive, TICK);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
