/**
 * Seeded random numbers: the same key gives the same numbers, whatever else has been drawn.
 *
 * @module
 */

/** A stream of random numbers that follows from its key. */
export class Random {
  #state: number;

  /** The stream of a key, such as a seed, the number of a data set and a word. */
  constructor(...key: readonly (string | number)[]) {
    this.#state = hash(key.join("\n"));
  }

  /** A number from 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A number from `least`, below `most`, with three decimals: it stays readable in a description. */
  real(least: number, most: number): number {
    return Math.round(1000 * (least + this.next() * (most - least))) / 1000;
  }

  /** True in a `share` of the calls. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One entry of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** One entry of a list, by weights. */
  weighted<T>(list: readonly (readonly [T, number])[]): T {
    let rest = this.next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [entry, weight] of list) if ((rest -= weight) < 0) return entry;
    return list.at(-1)![0];
  }

  /** A number of a normal distribution: mean 0, standard deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}

/** 32 bits of a text (FNV-1a). */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state;
}
