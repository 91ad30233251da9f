/**
 * Slots: the places of what is in flight, handed out to whoever waits longest; waiting holds back whoever is ahead.
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

  /** A free slot as soon as there is one; nothing once it has ended. */
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

  /** Lets all who wait go with nothing. */
  end(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
