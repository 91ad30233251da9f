/**
 * Ordered delivery: results come in any order, and go out in that of their tasks.
 *
 * @module
 */

/** Holds back what has come too early. */
export class InOrder<T> {
  /** The number of what goes out next. */
  next = 0;
  readonly #early = new Map<number, T>();

  /** Takes number `index`, and gives all whose turn it is, with their numbers. */
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
