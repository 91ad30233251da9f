/**
 * A priority queue of pairs of numbers: the cheapest first; equal costs in the order of the pairs.
 *
 * @module
 */

/** A binary heap in typed arrays: holds millions of pairs without one object per pair. */
export class PairQueue {
  #costs: Float64Array;
  #rows: Int32Array;
  #columns: Int32Array;
  #size = 0;
  /** The first number of the pair that {@link pop} took. */
  row = 0;
  /** The second number of that pair. */
  column = 0;

  /** A queue with room for `room` pairs; it grows if needed. */
  constructor(room: number = 1024) {
    this.#costs = new Float64Array(room);
    this.#rows = new Int32Array(room);
    this.#columns = new Int32Array(room);
  }

  /** Adds the pair (row, column). */
  push(cost: number, row: number, column: number): void {
    if (this.#size === this.#costs.length) this.#grow();
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isAfter(parent, cost, row, column)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, cost, row, column);
  }

  /** Takes the cheapest pair into {@link row} and {@link column}; false if there is none. */
  pop(): boolean {
    if (this.#size === 0) return false;
    this.row = this.#rows[0]!;
    this.column = this.#columns[0]!;
    const last = --this.#size;
    const [cost, row, column] = [this.#costs[last]!, this.#rows[last]!, this.#columns[last]!];
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      const right = child + 1;
      const isRight = right < last &&
        this.#isAfter(child, this.#costs[right]!, this.#rows[right]!, this.#columns[right]!);
      const least = isRight ? right : child;
      if (this.#isAfter(least, cost, row, column)) break;
      this.#move(least, at);
      at = least;
    }
    this.#put(at, cost, row, column);
    return true;
  }

  /** Whether the pair at `at` comes after this one. */
  #isAfter(at: number, cost: number, row: number, column: number): boolean {
    const own = this.#costs[at]!;
    if (own !== cost) return own > cost;
    return this.#rows[at] !== row ? this.#rows[at]! > row : this.#columns[at]! > column;
  }

  #move(from: number, to: number): void {
    this.#costs[to] = this.#costs[from]!;
    this.#rows[to] = this.#rows[from]!;
    this.#columns[to] = this.#columns[from]!;
  }

  #put(at: number, cost: number, row: number, column: number): void {
    this.#costs[at] = cost;
    this.#rows[at] = row;
    this.#columns[at] = column;
  }

  #grow(): void {
    const room = 2 * this.#costs.length + 1;
    const larger = <A extends Float64Array | Int32Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#costs = larger(new Float64Array(room), this.#costs);
    this.#rows = larger(new Int32Array(room), this.#rows);
    this.#columns = larger(new Int32Array(room), this.#columns);
  }
}
