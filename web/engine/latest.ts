/**
 * The latest question wins: work on an older one ends when a newer one comes, and its answers come no more.
 *
 * A run that will end within a few milliseconds may end first. So a drag shows a picture for many of its moves, and does not
 * have to stop before anything is seen.
 *
 * @module
 */

/** Work on one question. */
export interface Work {
  /** Does it until it is done or `signal` fires. */
  run(signal: AbortSignal): Promise<void>;
  /** Milliseconds until it will be done, as far as that is known. */
  remaining(): number;
  /** Says that it will not be done: called at once when a newer question ends it, or before it has begun. */
  cancelled(): void;
}

/** Milliseconds that work may go on after a newer question came. */
const GRACE = 60;

/** Does the latest work. */
export class Latest {
  #now: { readonly work: Work; readonly stop: AbortController } | undefined;
  #next: Work | undefined;
  #idle: Promise<void> = Promise.resolve();
  #closed = false;

  /** Does `work` next, instead of all that was asked before. */
  ask(work: Work): void {
    this.#next?.cancelled();
    this.#next = this.#closed ? undefined : work;
    if (this.#closed) return work.cancelled();
    if (!this.#now) this.#idle = this.#go();
    else if (!(this.#now.work.remaining() <= GRACE)) this.#end();
  }

  /** Resolves when nothing is done any more. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  /** Ends all work; nothing begins any more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.cancelled();
    this.#next = undefined;
    this.#end();
    await this.#idle;
  }

  #end(): void {
    const now = this.#now;
    if (!now || now.stop.signal.aborted) return;
    now.stop.abort();
    now.work.cancelled();
  }

  async #go(): Promise<void> {
    while (this.#next) {
      const work = this.#next;
      const stop = new AbortController();
      this.#next = undefined;
      this.#now = { work, stop };
      try {
        await work.run(stop.signal);
      } finally {
        this.#now = undefined;
      }
    }
  }
}
