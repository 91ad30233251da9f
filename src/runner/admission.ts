/**
 * Runs that share one budget take turns: a run takes all the memory that it needs at once, and waits for others where
 * there is not enough, first in, first out.
 *
 * As nobody waits who holds something, runs cannot block each other. But the caller of a run can wait for another one: with
 * a run inside of the loop over the parts of another. So a run that waits only for runs whose callers do not go on is
 * refused after a while.
 *
 * @module
 */

import { abortedError, isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";

/** How a run wants to wait. */
export interface Patience {
  /** Whether it waits at all. */
  readonly wait: boolean;
  /** Milliseconds to wait for runs whose callers do not go on. */
  readonly limit: number;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/** A run that holds memory. */
export class Tenant {
  /** Since when code of its caller has been at work, with a part in hand or asked for input, and nothing has changed. */
  idle: number | undefined;
  #calls = 0;

  /** Its caller has a part in hand, or has been asked for something. */
  handOver(): void {
    this.#calls++;
    this.idle = performance.now();
  }

  /** Its caller goes on. */
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

/** Who holds memory, and who waits for some. */
export class Admission {
  readonly #tenants = new Set<Tenant>();
  readonly #queue: Waiter[] = [];
  #watch: ReturnType<typeof setInterval> | undefined;

  /** How many runs wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * What `take` gives; it takes all or throws `over-budget`. Waits for its turn and until there is room.
   *
   * Errors: those of `take`, once nobody is left who could give something back or where the run does not wait; `aborted`.
   */
  async enter<T>(take: () => T, { wait, limit, signal }: Patience): Promise<[T, Tenant]> {
    throwIfAborted(signal);
    const found = this.#queue.length === 0 ? this.#tryTo(take, wait) : undefined;
    if (found) return found;
    if (!wait) throw this.#busy();
    const { promise, resolve, reject } = Promise.withResolvers<[T, Tenant]>();
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

  /** A run has given back what it held. */
  leave(tenant: Tenant): void {
    this.#tenants.delete(tenant);
    this.proceed();
  }

  /** There may be more room than before: lets in who is next. */
  proceed(): void {
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      try {
        next.take();
      } catch (error) {
        if (isTilewiseError(error, "over-budget") && this.#tenants.size > 0) break;
        next.fail(error);
      }
      this.#queue.shift();
    }
    this.#look();
  }

  /** Refuses all who wait. */
  close(error: unknown): void {
    for (const { fail } of this.#queue.splice(0)) fail(error);
    this.#look();
  }

  #tryTo<T>(take: () => T, wait: boolean): [T, Tenant] | undefined {
    try {
      return this.#let(take);
    } catch (error) {
      if (!wait || this.#tenants.size === 0 || !isTilewiseError(error, "over-budget")) throw error;
      return undefined;
    }
  }

  #let<T>(take: () => T): [T, Tenant] {
    const taken = take();
    const tenant = new Tenant();
    this.#tenants.add(tenant);
    return [taken, tenant];
  }

  #leave(waiter: Waiter, error: unknown): void {
    const at = this.#queue.indexOf(waiter);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    waiter.fail(error);
    this.proceed(); // the next one may need less
  }

  /** Looks now and then whether anybody goes on, for as long as somebody waits. */
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
    for (const { idle } of this.#tenants) {
      if (idle === undefined) return;
      since = Math.max(since, idle);
    }
    if (performance.now() - since > first.limit) this.#leave(first, this.#nested(first.limit));
  }

  #nested(limit: number): TilewiseError {
    const text =
      `Cannot start the run: it waits for memory of ${this.#tenants.size} other runs, whose callers have not asked for more ` +
      `for ${
        limit / 1000
      } s. A run inside of the loop over another one needs a context of its own, or more memory in theirs`;
    return new TilewiseError("over-budget", text, { found: this.#tenants.size, waiting: this.#queue.length });
  }

  #busy(): TilewiseError {
    const text = `Cannot start the run at once: ${this.#queue.length} other runs wait for memory already`;
    return new TilewiseError("over-budget", text, { waiting: this.#queue.length });
  }
}
