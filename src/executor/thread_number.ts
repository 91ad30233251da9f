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

const listeners = new Set<(thread: number) => void>();

/** Calls `heard` with the number of every thread of a pool that has ended; the result stops this. */
export function onThreadEnd(heard: (thread: number) => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

/** Tells all listeners that no code of a thread runs any more. */
export function threadEnded(thread: number): void {
  for (const heard of [...listeners]) heard(thread);
}
