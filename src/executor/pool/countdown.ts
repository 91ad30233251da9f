/**
 * A wait for a thread that is not blamed for the load of the machine.
 *
 * @module
 */

/** Milliseconds of one step: what has happened meanwhile is handled between two of them. */
const STEP = 100;

/**
 * Calls `over` when a thread has had `milliseconds`: without the time in which it wanted to run and had no processor, of which
 * `waited` says the sum, and without that in which this thread was held up. `clearInterval` cancels it.
 */
export function countdown(
  milliseconds: number,
  waited: () => number,
  over: () => void,
): ReturnType<typeof setInterval> {
  const step = Math.min(STEP, milliseconds);
  let left = milliseconds, before = waited();
  const timer = setInterval(() => {
    const now = waited();
    left -= Math.max(0, step - Math.max(0, now - before)); // of a thread that has ended nothing is told
    before = now;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, step);
  return timer;
}
