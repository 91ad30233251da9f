/**
 * Trying again: how often, and how long to wait in between.
 *
 * @module
 */

import { waiting } from "../../activity.ts";
import {
  abortedError,
  type ErrorCode,
  type ErrorDetails,
  throwIfAborted,
  TilewiseError,
} from "../../errors.ts";
import type { RetryOptions } from "./retry_options.ts";

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
