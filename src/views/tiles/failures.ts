/**
 * What goes wrong with views, in words.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { Shape } from "../../space/shape.ts";

/** The error of a view for which a tile could not be loaded. */
export function viewError(index: Shape, level: number, error: unknown): TilewiseError {
  const view = index.join(", ");
  const text = `Cannot load the view of tile (${view}) of level ${level}: ${reasonOf(error)}`;
  const known = isTilewiseError(error);
  const details = { ...(known ? error.details : {}), view, level };
  return new TilewiseError(known ? error.code : "udf", text, details, { cause: error });
}

/** The error for a caller that waits for a view and holds all of the `views` that fit. */
export function stuckError(held: number, views: number): TilewiseError {
  const all = views === 1 ? "the only place" : `all ${views} places`;
  const text =
    `Cannot load more views: ${held} ${held === 1 ? "is" : "are"} held, which take ${all} for views; ` +
    `return views with "using" or release(), or say ahead: ${views} or more when they are opened`;
  return new TilewiseError("lease", text, { found: held, expected: views });
}

// How long somebody waits for a view while the caller holds all of them.

/** Timers of more milliseconds end at once. */
const LONGEST = 2 ** 31 - 1;

/** A time limit that runs while nothing can happen. */
export class TimeLimit {
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
