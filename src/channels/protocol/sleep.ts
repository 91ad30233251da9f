/**
 * Sleeping on a word of shared memory. Kernels wait here for their host, for its runners and for other members of their group: who
 * waits for them does not hang, so it gives signs of life meanwhile.
 *
 * @module
 */

import { alive } from "../../activity.ts";

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
