/**
 * For long work on a thread that has other work too: it pauses now and then, so that interrupts, timers and aborts are
 * handled while it runs.
 *
 * @module
 */

import { abortedError, throwIfAborted } from "./errors.ts";

/** Milliseconds that work may run without a pause. */
const LONGEST = 25;

/**
 * Milliseconds between long pauses. A long pause waits for a timer, which takes one or two milliseconds. A short pause takes
 * a tenth of that, but messages of other threads and of the system may arrive several pauses late.
 */
const LONGEST_SHORT = 250;

/**
 * Says when a pause is due, and pauses.
 *
 * @example
 * ```ts
 * const turns = new Turns();
 * for (let i = 0; i < 1000; i++) {
 *   if (turns.due) await turns.give();
 * }
 * ```
 */
export class Turns {
  #last = performance.now();
  #lastLong = performance.now();

  /** Pauses are due after `longest` milliseconds. */
  constructor(private readonly longest: number = LONGEST) {}

  /** Whether it is time for the next pause. */
  get due(): boolean {
    return performance.now() - this.#last > this.longest;
  }

  /** Pauses: whatever waits for this thread is done before the work continues. */
  async give(): Promise<void> {
    const isLong = performance.now() - this.#lastLong > LONGEST_SHORT;
    await (isLong ? longTurn() : shortTurn());
    this.#last = performance.now();
    if (isLong) this.#lastLong = this.#last;
  }
}

function longTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Rounds of an event loop with phases: after two of them timers have fired. */
const ROUNDS = 3;

async function shortTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?(work: () => void): unknown };
  if (!setImmediate) return await message();
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

/** A pause in a page, where a timer may take four milliseconds: whatever waits is done first. */
export function message(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** The outcome of `work`, or `aborted` as soon as `signal` fires. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfAborted(signal);
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortedError(signal));
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
