/**
 * The queue for memory, for runs that share one budget. A run takes all the memory that it needs in one step; if there is not
 * enough, it waits until other runs have returned some, first in, first out.
 *
 * A run that holds memory never waits for more, so runs cannot block each other. But the caller of a run can wait for another
 * run, such as one that it starts inside the loop over the parts of the first. Therefore a run is refused after a while if all
 * runs that it waits for have callers that do not continue.
 *
 * @module
 */

import { withResolvers } from "../portable.ts";
import { abortedError, isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";

/** How a run wants to wait. */
interface WaitLimits {
  /** Whether it waits at all. */
  readonly wait: boolean;
  /** Milliseconds to wait for runs whose callers do not go on. */
  readonly limit: number;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/** A run that holds memory. */
export class MemoryClaim {
  /** When code of its caller began to work on a part or on requested input; absent: the caller is waiting for the run. */
  idle: number | undefined;
  #calls = 0;

  /** Notes that its caller has been given a part, or has been asked for something. */
  handOver(): void {
    this.#calls++;
    this.idle = performance.now();
  }

  /** Notes that its caller continues. */
  goOn(): void {
    this.idle = --this.#calls > 0 ? performance.now() : undefined;
  }
}

interface Waiter {
  /** Takes what it needs, or throws. */
  readonly take: () => void;
  readonly fail: (error: unknown) => void;
  readonly since: number;
  readonly limit: number;
}

/** The runs that hold memory, and the queue of runs that wait for it. */
export class Admission {
  readonly #claims = new Set<MemoryClaim>();
  readonly #queue: Waiter[] = [];
  #watch: ReturnType<typeof setInterval> | undefined;

  /** How many runs wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * The result of `take`, which takes all its memory or throws `over-budget`. Waits in the queue until there is room.
   *
   * Errors: those of `take`, when no run is left that could return memory, or when the run does not wait; `aborted`.
   */
  async enter<T>(take: () => T, { wait, limit, signal }: WaitLimits): Promise<[T, MemoryClaim]> {
    throwIfAborted(signal);
    const found = this.#queue.length === 0 ? this.#tryTo(take, wait) : undefined;
    if (found) return found;
    if (!wait) throw this.#busy();
    const { promise, resolve, reject } = withResolvers<[T, MemoryClaim]>();
    const waiter: Waiter = {
      take: () => resolve(this.#let(take)),
      fail: reject,
      since: performance.now(),
      limit,
    };
    const abort = () => this.#leave(waiter, abortedError(signal));
    this.#queue.push(waiter);
    signal.addEventListener("abort", abort, { once: true });
    this.#look();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Notes that a run has returned its memory. */
  leave(claim: MemoryClaim): void {
    this.#claims.delete(claim);
    this.proceed();
  }

  /** Lets in the next runs of the queue, as there may be more room than before. */
  proceed(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      try {
        next.take();
      } catch (error) {
        if (isTilewiseError(error, "over-budget") && this.#claims.size > 0) break;
        next.fail(error);
      }
      this.#queue.shift();
    }
    this.#look();
  }

  #tryTo<T>(take: () => T, wait: boolean): [T, MemoryClaim] | undefined {
    try {
      return this.#let(take);
    } catch (error) {
      if (!wait || this.#claims.size === 0 || !isTilewiseError(error, "over-budget")) throw error;
      return undefined;
    }
  }

  #let<T>(take: () => T): [T, MemoryClaim] {
    const taken = take();
    const claim = new MemoryClaim();
    this.#claims.add(claim);
    return [taken, claim];
  }

  #leave(waiter: Waiter, error: unknown): void {
    const at = this.#queue.indexOf(waiter);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    waiter.fail(error);
    this.proceed(); // the next one may need less
  }

  /** While runs wait, checks now and then whether a caller of the others continues. */
  #look(): void {
    const [first] = this.#queue;
    clearInterval(this.#watch);
    this.#watch = first &&
      setInterval(() => this.#refuseNested(), Math.max(5, Math.min(1000, first.limit / 8)));
  }

  #refuseNested(): void {
    const [first] = this.#queue;
    if (!first) return;
    let since = first.since;
    for (const { idle } of this.#claims) {
      if (idle === undefined) return;
      since = Math.max(since, idle);
    }
    if (performance.now() - since > first.limit) this.#leave(first, this.#nested(first.limit));
  }

  #nested(limit: number): TilewiseError {
    const text =
      `Cannot start the run: it waits for memory of ${this.#claims.size} other runs, whose callers have not asked for more ` +
      `for ${
        limit / 1000
      } s. A run inside of the loop over another one needs a context of its own, or more memory in theirs`;
    return new TilewiseError("over-budget", text, { found: this.#claims.size, waiting: this.#queue.length });
  }

  #busy(): TilewiseError {
    const text = `Cannot start the run at once: ${this.#queue.length} other runs wait for memory already`;
    return new TilewiseError("over-budget", text, { waiting: this.#queue.length });
  }
}
