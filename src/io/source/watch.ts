/**
 * A watch on one HTTP exchange: it ends the exchange when the caller cancels, or when it takes too long.
 *
 * Time in which this thread was busy with other work does not count: data that arrived meanwhile are still waiting.
 *
 * @module
 */

import { waiting } from "../../activity.ts";
import { type Clock, REAL_CLOCK } from "../../clock.ts";
import {
  abortedError,
  type ErrorCode,
  type ErrorDetails,
  throwIfAborted,
  TilewiseError,
} from "../../errors.ts";
import { formatBytes } from "../../space/size.ts";
import type { RetryOptions } from "./retry_options.ts";

/**
 * How long an exchange may take.
 * @category Data sets
 */
export interface HttpTimeouts {
  /** Milliseconds for a whole answer, plus one second for every requested KiB. Above 0. Default 30 000. */
  readonly timeout?: number;
  /**
   * Milliseconds without headers, or with less than 1 KiB per second of body, after which a request is given up.
   * Above 0. Default 10 000.
   */
  readonly stallTimeout?: number;
}

const SLOWEST = 1024; // bytes per second: over the time of one `stallTimeout`, and over a whole answer

/** Longest time between two checks of the clock, in milliseconds. */
const LONGEST_LOOK = 1000;

/** Ends an exchange through {@link Watch.signal}; `late` says why when it was too slow. */
export class Watch implements Disposable {
  readonly #controller = new AbortController();
  readonly #stop = () => this.#controller.abort(this.caller?.reason);
  readonly #whole: number;
  readonly #stallTimeout: number;
  readonly #ended = new AbortController();
  #waited = 0; // milliseconds since the start, and since the start of this window
  #window = 0;
  #seen = 0; // bytes likewise
  #atWindow = 0;
  #hasHeaders = false;
  /** Why the exchange was ended, when the watch ended it. */
  late: string | undefined;

  /** Starts watching an exchange that should bring `length` bytes. */
  constructor(
    length: number,
    { timeout = 30_000, stallTimeout = 10_000 }: HttpTimeouts,
    private readonly caller: AbortSignal | undefined,
    private readonly clock: Clock = REAL_CLOCK,
  ) {
    this.#whole = timeout + length / SLOWEST * 1000;
    this.#stallTimeout = stallTimeout;
    const period = Math.max(1, Math.min(LONGEST_LOOK, stallTimeout / 8, timeout / 8));
    void this.#keepLooking(period);
    caller?.addEventListener("abort", this.#stop, { once: true });
    if (caller?.aborted) this.#stop();
  }

  /** Give this to `fetch`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Notes that the headers have arrived: from now on the body must keep coming. */
  headersArrived(): void {
    this.#hasHeaders = true;
    this.#window = 0;
  }

  /** Notes that `bytes` more bytes of the body have arrived. */
  progress(bytes: number): void {
    this.#seen += bytes;
  }

  /** Stops the clock, and the exchange if it has not ended. */
  [Symbol.dispose](): void {
    this.#ended.abort();
    this.caller?.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  async #keepLooking(period: number): Promise<void> {
    const { clock } = this;
    const { signal } = this.#ended;
    for (let last = clock.now(); this.late === undefined;) {
      await clock.sleep(period, signal);
      if (signal.aborted) return;
      const elapsed = clock.now() - last;
      last += elapsed;
      this.#look(Math.min(elapsed, 2 * period)); // a late look: this thread was busy
    }
  }

  #look(elapsed: number): void {
    this.#waited += elapsed;
    this.#window += elapsed;
    if (this.#window >= this.#stallTimeout) this.#checkWindow();
    if (this.#waited >= this.#whole) {
      this.#end(`took more than ${seconds(this.#whole)}: it sent ${formatBytes(this.#seen)}`);
    }
  }

  #checkWindow(): void {
    if (!this.#hasHeaders) return this.#end(`sent no answer within ${seconds(this.#stallTimeout)}`);
    const bytes = this.#seen - this.#atWindow;
    const rate = bytes / this.#window * 1000;
    this.#atWindow = this.#seen;
    this.#window = 0;
    if (rate >= SLOWEST) return;
    const found = `${formatBytes(bytes)} in ${seconds(this.#stallTimeout)} (${
      formatBytes(Math.round(rate))
    } per second)`;
    this.#end(`sent ${found}; at least ${formatBytes(SLOWEST)} per second are expected`);
  }

  #end(why: string): void {
    this.late ??= why;
    this.#controller.abort();
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 10) / 100} s`;
}

// Trying again: how often, and how long to wait in between.

export type { RetryOptions } from "./retry_options.ts";

/** The longest that a server may ask us to wait; one that asks for more has refused. */
const PATIENCE_MS = 60_000;

/** A failure that may be gone the next time; when it is not, callers see it as the {@link TilewiseError} it is. */
export class TransientError extends TilewiseError {
  /** A failure after which to try again, `waitMs` from now at the earliest. */
  constructor(
    code: ErrorCode,
    message: string,
    details?: ErrorDetails,
    options?: ErrorOptions,
    /** Milliseconds that the other side asked us to wait. */
    readonly waitMs: number = 0,
  ) {
    super(code, message, details, options);
  }
}

/** The longest pause, as a multiple of the first one. */
const LONGEST = 50;

/**
 * The pause after attempt `attempt` (counted from 0): a random part of a bound that doubles ("full jitter",
 * so that clients that failed together do not come back together), and never less than `waitMs`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([0, 1, 2, 9].map((n) => pauseAfter(n, { random: () => 0.5 })), [50, 100, 200, 2500]);
 * ```
 */
export function pauseAfter(
  attempt: number,
  { firstPause = 100, random = Math.random }: RetryOptions = {},
  waitMs = 0,
): number {
  return Math.max(waitMs, random() * firstPause * Math.min(LONGEST, 2 ** attempt));
}

/**
 * Runs `work` until it succeeds, fails for good, or has used up its attempts. As `work` has a deadline of its own, a thread
 * that waits for it counts as alive.
 */
export function withRetries<T>(
  work: () => Promise<T>,
  options: RetryOptions = {},
  signal?: AbortSignal,
): Promise<T> {
  return waiting(() => attempts(work, options, signal));
}

async function attempts<T>(
  work: () => Promise<T>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const most = options.attempts ?? 5;
  for (let attempt = 0;; attempt++) {
    throwIfAborted(signal);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (attempt + 1 >= most || error.waitMs > PATIENCE_MS) throw givingUp(error, attempt + 1);
      await pause(pauseAfter(attempt, options, error.waitMs), signal);
    }
  }
}

function givingUp({ code, message, details, cause }: TransientError, attempts: number): TilewiseError {
  const text = `${message} (gave up after ${attempts} ${attempts === 1 ? "attempt" : "attempts"})`;
  return new TilewiseError(code, text, { ...details, attempts }, { cause });
}

/** Waits; `aborted` as soon as `signal` fires. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(abortedError(signal!));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
