/**
 * A lock in shared memory that outlives its holder: one that a thread took to its grave is taken over.
 *
 * @module
 */

/** Milliseconds of one wait; a process that was stopped for long counts as one wait. */
const ROUND = 100;

/** Rounds after which a holder that shows no sign of life counts as dead. */
const ROUNDS = 50;

/** Where the words of the lock lie: indices of 32-bit words. */
export interface LockWords {
  /** 0 if the lock is free, otherwise the ticket of its holder. */
  readonly holder: number;
  /** The latest ticket. */
  readonly ticket: number;
}

/** A lock over two words. Its holder must give it back within seconds. */
export class MemoryLock {
  /** The lock at `at` in `words`; `repair` makes sound what a dead holder may have left half done. */
  constructor(
    private readonly words: Int32Array,
    private readonly at: LockWords,
    private readonly repair: () => void,
    private readonly rounds: number = ROUNDS,
  ) {}

  /** Runs `work`, which is not interrupted by other holders. */
  hold<T>(work: () => T): T {
    const ticket = this.#take();
    try {
      return work();
    } finally {
      Atomics.compareExchange(this.words, this.at.holder, ticket, 0); // unless it was taken over
      Atomics.notify(this.words, this.at.holder, 1);
    }
  }

  #take(): number {
    const { words, at: { holder, ticket } } = this;
    const own = Atomics.add(words, ticket, 1) << 1 | 1; // never 0
    let seen = 0;
    for (let round = 0;;) {
      const found = Atomics.compareExchange(words, holder, 0, own);
      if (found === 0) return own;
      if (found !== seen) [seen, round] = [found, 0];
      else if (++round > this.rounds && this.#takeOver(found, own)) return own;
      pause(words, holder, found);
    }
  }

  #takeOver(dead: number, own: number): boolean {
    if (Atomics.compareExchange(this.words, this.at.holder, dead, own) !== dead) return false;
    this.repair();
    return true;
  }
}

/** Waits until the word changes, at most one round; the main thread of a page may not sleep and looks again and again. */
function pause(words: Int32Array, at: number, value: number): void {
  try {
    Atomics.wait(words, at, value, ROUND);
  } catch {
    const until = performance.now() + ROUND;
    while (Atomics.load(words, at) === value && performance.now() < until);
  }
}
