/**
 * The buffer sets of a run: a task waits until one is free, which holds reading back while merging lags.
 *
 * @module
 */

/** Addresses of buffer sets, taken and given back. */
export class SetPool {
  readonly #free: number[];
  readonly #waiting: ((base: number | undefined) => void)[] = [];
  #closed = false;

  /** The sets at addresses `bases`. */
  constructor(bases: readonly number[]) {
    this.#free = [...bases];
  }

  /** A free set, as soon as there is one; undefined once the pool is closed. */
  take(): Promise<number | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const base = this.#free.shift();
    if (base !== undefined) return Promise.resolve(base);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a set back. */
  give(base: number): void {
    const next = this.#waiting.shift();
    if (next) next(base);
    else this.#free.push(base);
  }

  /** Wakes all who wait, with nothing. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }
}
