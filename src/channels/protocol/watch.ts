/**
 * Watching a word for a while before sleeping on it.
 *
 * To wake a thread that sleeps takes 40 to 80 µs on an idle machine, whose processors rest meanwhile, and 4 µs on a busy one.
 * An answer that comes within that time is cheaper to watch for. Where the other thread needs this processor, watching only
 * holds it up: then the sleep after a watch in vain is short, and watches become short as well. Now and then a longer one shows
 * whether it pays again.
 *
 * @module
 */

import { processors } from "../../portable.ts";

/** Turns of the longest watch, of about 25 ns each. */
const MOST = 12_000;

/** Turns of the shortest one. */
const LEAST = 16;

/** Milliseconds: who sleeps for longer would have watched in vain anyway. */
const SHORT = 1;

/** After so many watches in vain, one is longer. */
const RETRY = 32;

/** One thread's patience with the words of one kind. */
export class Watch {
  #turns = MOST;
  #retry = LEAST;
  #vain = 0;
  #asleep = 0;

  /**
   * Whether `words[at]` becomes another value than `value` soon. If not, call {@link woke} after the sleep. It does not watch
   * where the platform has no `Atomics.pause`, or one processor only.
   */
  changes(words: Int32Array, at: number, value: number): boolean {
    if (!pays()) return false;
    const turns = this.#vain >= RETRY ? this.#longer() : this.#turns;
    for (let turn = 0; turn < turns; turn++) {
      if (Atomics.load(words, at) !== value) {
        this.#turns = Math.min(MOST, 2 * turns);
        this.#vain = 0;
        return true;
      }
      Atomics.pause();
    }
    this.#asleep = performance.now();
    return false;
  }

  /** Notes the end of a sleep after a watch in vain. */
  woke(): void {
    if (!pays() || performance.now() - this.#asleep > SHORT) return;
    this.#turns = Math.max(LEAST, this.#turns >> 1);
    this.#vain++;
  }

  #longer(): number {
    this.#vain = 0;
    this.#retry = this.#retry >= MOST ? LEAST : 4 * this.#retry;
    return Math.min(MOST, this.#retry);
  }
}

const PROCESSORS = processors();

/** Asked every time: the checker of all orders of steps puts an `Atomics` without pauses in place of the real one. */
function pays(): boolean {
  return PROCESSORS > 1 && typeof Atomics.pause === "function";
}
