/**
 * How long somebody waits for a view while the caller holds all of them.
 *
 * @module
 */

/** Timers of more milliseconds end at once. */
const LONGEST = 2 ** 31 - 1;

/** A time limit that runs while nothing can happen. */
export class Patience {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `giveUp` is called after `milliseconds`; never if these are infinite. */
  constructor(private readonly milliseconds: number, private readonly giveUp: () => void) {}

  /** Lets the time run while `stuck` is true. */
  watch(stuck: boolean): void {
    if (!stuck) return this.end();
    if (this.milliseconds === Infinity) return;
    this.#timer ??= setTimeout(() => this.#over(), Math.min(this.milliseconds, LONGEST));
  }

  /** Stops the time. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #over(): void {
    this.#timer = undefined;
    this.giveUp();
  }
}
