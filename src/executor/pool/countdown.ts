/**
 * A wait for a thread that is not blamed for the load of the machine.
 *
 * @module
 */

/** Milliseconds of one step: what has happened meanwhile is handled between two of them. */
const STEP = 100;

/** Calls `work` after some milliseconds; returns what cancels that. */
export type Later = (work: () => void, milliseconds: number) => () => void;

const later: Later = (work, milliseconds) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Calls `over` when a thread has had `milliseconds`: without the time in which it wanted to run and had no processor, of which
 * `waited` says the sum, and without that in which this thread was held up. Returns what cancels it.
 */
export function countdown(
  milliseconds: number,
  waited: () => number,
  over: () => void,
  wait: Later = later,
): () => void {
  const step = Math.min(STEP, milliseconds);
  let cancel = () => {};
  const next = (left: number) => {
    if (left <= 0) return over();
    const before = waited();
    cancel = wait(() => next(left - Math.max(0, step - Math.max(0, waited() - before))), step);
  };
  next(milliseconds);
  return () => cancel();
}
