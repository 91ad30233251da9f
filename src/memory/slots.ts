/**
 * Slots: places for pending work, given out first in, first out. A producer that must wait for a slot cannot get too far ahead.
 *
 * @module
 */

/** A fixed number of places that are taken and given back. */
export class Slots<T> {
  readonly #free: T[];
  readonly #waiting: ((slot: T | undefined) => void)[] = [];
  #ended = false;

  /** All of `slots` are free. */
  constructor(slots: readonly T[]) {
    this.#free = [...slots];
  }

  /** Whether it has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** A free slot as soon as there is one; `undefined` after {@link end}. */
  take(): Promise<T | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    const slot = this.#free.shift();
    if (slot !== undefined) return Promise.resolve(slot);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a slot back. */
  give(slot: T): void {
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#free.push(slot);
  }

  /** Gives `undefined` to all callers that wait. */
  end(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
