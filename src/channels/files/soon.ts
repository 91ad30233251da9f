/**
 * Values that may come late, without a promise where they do not.
 *
 * @module
 */

import type { Awaitable } from "../backends/back_end.ts";
import { failure } from "../protocol/status.ts";

/** Goes on with a value as soon as it is there: at once if it is. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `act`, or the negative status for what it throws, now or later. */
export function settled(act: () => Awaitable<number>): Awaitable<number> {
  try {
    const result = act();
    return typeof result === "number" ? result : result.catch(failure);
  } catch (error) {
    return failure(error);
  }
}
