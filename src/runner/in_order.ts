/**
 * Ordered delivery: results come in any order, and leave in the order of their tasks.
 *
 * @module
 */

/** Holds results back until all earlier ones have left. */
export class InOrder<T> {
  /** The number of what goes out next. */
  next = 0;
  readonly #early = new Map<number, T>();

  /** Takes result number `index`; gives all results that can leave now, with their numbers. */
  *put(index: number, value: T): Generator<[index: number, value: T], void> {
    this.#early.set(index, value);
    while (this.#early.has(this.next)) {
      const at = this.next++;
      const early = this.#early.get(at)!;
      this.#early.delete(at);
      yield [at, early];
    }
  }
}
