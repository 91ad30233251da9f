/**
 * Long work on a thread that others need as well: it lets them have a turn now and then, so that an interrupt, a timer or
 * an abort is heard while it goes on.
 *
 * @module
 */

import { abortedError, throwIfAborted } from "./errors.ts";

/** Milliseconds that work may go on without a turn of others. */
const LONGEST = 25;

/**
 * Milliseconds until others have a long turn: a timer, which takes a millisecond or two. Short ones take a tenth of that, but
 * messages of other threads and of the system may come several turns late.
 */
const LONGEST_SHORT = 250;

/**
 * When others are to have a turn.
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

  /** Whether the last turn of others is long ago. */
  get due(): boolean {
    return performance.now() - this.#last > LONGEST;
  }

  /** Lets others have a turn: what waits for this thread is done before the work goes on. */
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

/** Rounds of an event loop that has phases: after two of them timers have had their turn. */
const ROUNDS = 3;

async function shortTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?(work: () => void): unknown };
  if (!setImmediate) return await message();
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

/** In a page, where a timer may take four milliseconds. */
function message(): Promise<void> {
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
