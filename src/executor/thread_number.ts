/**
 * Numbers of threads, and who hears that a thread has ended.
 *
 * What a thread holds in shared memory bears its number. Who owns that memory listens here, and takes back what an ended
 * thread has left behind.
 *
 * @module
 */

/** A number for a new thread: above 0, and below 2^31. */
export function newThreadNumber(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! % (2 ** 31 - 1) + 1;
}

let own: number | undefined;

/** The number of this thread. */
export function threadNumber(): number {
  return own ??= newThreadNumber();
}

/** Gives this thread the number by which its owner knows it. For the first message to a thread. */
export function useThreadNumber(number: number): void {
  own = number;
}

/**
 * Hears of every thread of a pool that was stopped or ended by itself: its number, and whether no code of it runs any more; `false`:
 * it is in a call of the platform that does not return, and comes no further if it does.
 */
type ThreadEnd = (thread: number, gone: boolean) => void;

const listeners = new Set<ThreadEnd>();

/** Calls `heard` for every thread of a pool that has ended; the result stops this. */
export function onThreadEnd(heard: ThreadEnd): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

/** Tells all listeners that a thread has ended, or that its end is not waited for any longer. */
export function threadEnded(thread: number, gone: boolean): void {
  for (const heard of [...listeners]) heard(thread, gone);
}
