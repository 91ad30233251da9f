/**
 * Sleeping on a word of shared memory. Kernels wait here for their host, for its runners and for other members of their group: who
 * waits for them does not hang, so it gives signs of life meanwhile.
 *
 * @module
 */

import { alive } from "../../activity.ts";
import { processors, withResolvers } from "../../portable.ts";

/** Milliseconds between two signs of life. */
const TICK = 100;

/**
 * Sleeps while `words[at]` is `value` and nobody wakes this thread, at most for `timeout` milliseconds. `lives`: whether the other
 * side is at work, so that waiting for it is a sign of life.
 */
export function sleep(
  words: Int32Array,
  at: number,
  value: number,
  timeout = Infinity,
  lives = true,
): void {
  for (let left = timeout;; left -= TICK) {
    if (lives) alive();
    if (Atomics.wait(words, at, value, Math.min(left, TICK)) !== "timed-out" || left <= TICK) return;
  }
}

// Watching a word for a while before sleeping on it.
//
// To wake a thread that sleeps takes 40 to 80 µs on an idle machine, whose processors rest meanwhile, and 4 µs on a busy one.
// An answer that comes within that time is cheaper to watch for. Where the other thread needs this processor, watching only
// holds it up: then the sleep after an unsuccessful watch is short, and watches become short as well. Now and then a longer one shows
// whether it pays again.

/** Turns of the longest watch, of about 25 ns each. */
const MOST = 12_000;

/** Turns of the shortest one. */
const LEAST = 16;

/** Milliseconds: before a longer sleep no watch would have succeeded. */
const SHORT = 1;

/** Unsuccessful watches after which one is longer. */
const RETRY = 32;

/** How long one thread spins on words of one kind before it sleeps. */
export class Watch {
  #turns = MOST;
  #retry = LEAST;
  #failed = 0;
  #asleep = 0;

  /**
   * Whether `words[at]` becomes another value than `value` soon. If not, call {@link woke} after the sleep. It does not watch
   * where the platform has no `Atomics.pause`, or one processor only.
   */
  changes(words: Int32Array, at: number, value: number): boolean {
    if (!pays()) return false;
    const turns = this.#failed >= RETRY ? this.#longer() : this.#turns;
    for (let turn = 0; turn < turns; turn++) {
      if (Atomics.load(words, at) !== value) {
        this.#turns = Math.min(MOST, 2 * turns);
        this.#failed = 0;
        return true;
      }
      Atomics.pause();
    }
    this.#asleep = performance.now();
    return false;
  }

  /** Notes the end of a sleep after an unsuccessful watch. */
  woke(): void {
    if (!pays() || performance.now() - this.#asleep > SHORT) return;
    this.#turns = Math.max(LEAST, this.#turns >> 1);
    this.#failed++;
  }

  #longer(): number {
    this.#failed = 0;
    this.#retry = this.#retry >= MOST ? LEAST : 4 * this.#retry;
    return Math.min(MOST, this.#retry);
  }
}

const PROCESSORS = processors();

/** Asked every time: the checker of all orders of steps puts an `Atomics` without pauses in place of the real one. */
function pays(): boolean {
  return PROCESSORS > 1 && typeof Atomics.pause === "function";
}

// What the own thread can do: whether it may block, how it waits if not, and for which hosts it is the runner itself.

/** A runner on the calling thread. */
export interface LocalRunner {
  /** Answers the call that is ready on a channel, if it can be answered at once. */
  serve(channel: number): void;
}

const local = new Map<SharedArrayBuffer, LocalRunner>();

/** The runner on this thread of the host with this gate, if it is here. */
export function localRunner(gate: SharedArrayBuffer): LocalRunner | undefined {
  return local.get(gate);
}

/** Makes `runner` the runner of a host for callers on this thread, until the returned function is called. */
export function registerLocalRunner(gate: SharedArrayBuffer, runner: LocalRunner): () => void {
  local.set(gate, runner);
  return () => void local.delete(gate);
}

let mayBlock: boolean | undefined;

/** Whether this thread may sleep until shared memory changes: the main thread of a page may not. */
export function canBlock(): boolean {
  return mayBlock ??= tryToBlock();
}

function tryToBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds after which a thread that does not block looks again by itself. */
const LOOK = 20;

/**
 * Resolves when `words[at]` is not `value` any more and somebody says so; at the latest after a while, as `Atomics.waitAsync`
 * has been seen to miss a sign, and some platforms do not have it.
 */
export async function signOf(words: Int32Array, at: number, value: number): Promise<void> {
  const { promise: late, resolve } = withResolvers<unknown>();
  const timer = setTimeout(resolve, LOOK);
  const wait = Atomics.waitAsync?.(words, at, value, LOOK);
  await Promise.race([late, wait === undefined ? late : wait.value]);
  clearTimeout(timer);
}
