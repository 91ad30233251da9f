/**
 * Whether a difference is one of those that are meant to be.
 *
 * @module
 */

import type { Mismatch, Results } from "../compare.ts";
import type { Case } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";

/** A difference and where it was found. */
export interface Found {
  /** All results of ours, if there are some. */
  readonly ours?: Results;
  /** All results of the peer, if it has some. */
  readonly theirs?: Results;
  /** What differs. */
  readonly mismatch: Mismatch;
  /** In which comparison. */
  readonly at: Case;
  /** The frames. */
  readonly truth: Truth;
}

/** A deliberate difference. */
export interface Difference {
  /** Its name in reports. */
  readonly name: string;
  /** Why it is right that both differ. */
  readonly reason: string;
  /** Whether it excuses number `i` of a result that differs, or the whole of something that is not compared by numbers. */
  covers(found: Found, i: number): boolean;
}

/** The rows that excuse a mismatch; none if a part of it is left. */
export function excuses(found: Found, rows: readonly Difference[]): readonly Difference[] {
  const places = found.mismatch.at.length > 0 ? found.mismatch.at : [-1];
  const used = new Set<Difference>();
  for (const i of places) {
    const row = rows.find((one) => one.covers(found, i));
    if (!row) return [];
    used.add(row);
  }
  return [...used];
}
