/**
 * Seeded random numbers and Poisson counts from tables: a sample costs one look-up.
 *
 * @module
 */

/** Random 32-bit words (xorshift), the same for the same seed. */
export class Random {
  #state: number;

  /** Any seed but 0. */
  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** The next word, from 0 to 2^32 − 1. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }
}

const LEVELS = 256;
const QUANTILES = 4096;

/** Poisson counts for means from 0 to `most`, in 255 steps. */
export class PoissonTable {
  readonly #counts = new Uint16Array(LEVELS * QUANTILES);
  readonly #step: number;

  /** A table for means up to `most`. */
  constructor(readonly most: number) {
    this.#step = most / (LEVELS - 1);
    for (let level = 1; level < LEVELS; level++) fillQuantiles(this.#row(level), level * this.#step);
  }

  /** The level whose mean is nearest to `mean`. */
  level(mean: number): number {
    return Math.max(0, Math.min(LEVELS - 1, Math.round(mean / this.#step)));
  }

  /** A count drawn with the mean of `level`. */
  draw(level: number, random: Random): number {
    return this.#counts[level * QUANTILES + (random.next() >>> 8) % QUANTILES]!;
  }

  #row(level: number): Uint16Array {
    return this.#counts.subarray(level * QUANTILES, (level + 1) * QUANTILES);
  }
}

/** The counts at the middles of `row.length` equal parts of the distribution. */
function fillQuantiles(row: Uint16Array, mean: number): void {
  let probability = Math.exp(-mean);
  let [count, below] = [0, probability];
  for (let q = 0; q < row.length; q++) {
    while (below < (q + 0.5) / row.length && (count < mean || probability > 1e-15)) {
      probability *= mean / ++count;
      below += probability;
    }
    row[q] = count;
  }
}
