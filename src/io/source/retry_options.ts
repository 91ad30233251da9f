/**
 * Options of trying again.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { atLeast0, callable, whole } from "../../options/rules.ts";

/**
 * How often to try, and how long to wait in between. All but `random` travels to workers.
 * @category Data sets
 */
export interface RetryOptions {
  /** Attempts in all, the first included. Whole, at least 1. Default 5. */
  readonly attempts?: number;
  /**
   * The longest first pause, in milliseconds; it doubles with every attempt, up to 50 of them. At least 0. Default
   * 100.
   */
  readonly firstPause?: number;
  /** Numbers in `[0, 1)`; every pause is a random part of the longest one. Default `Math.random`. */
  readonly random?: () => number;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const RETRY_OPTIONS: OptionNames<RetryOptions> = {
  attempts: whole(1), firstPause: atLeast0, random: callable,
};
