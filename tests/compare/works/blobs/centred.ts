/**
 * Peaks in the middle of so few places that nothing is around them.
 *
 * @module
 */

import { numbersOf } from "../../compare.ts";
import type { Found } from "../../verdict/excuses.ts";
import { type CorrelateParams, halfEven } from "./correlate_params.ts";

/** From here on places count for the elevation of a peak. */
const LEAST_DISTANCE = 1.5;

/** Whether all places at which peak number `entry` of a sparse correlation was looked for are near to where it is. */
export function hasNothingAround({ theirs, at }: Found, entry: number): boolean {
  const { peaks, steps } = at.params as CorrelateParams;
  const found = numbersOf(theirs!.refineds!).subarray(2 * entry, 2 * entry + 2);
  const [y, x] = peaks[entry % peaks.length]!.map((at, d) => Math.abs(found[d]! - halfEven(at)));
  return Math.hypot(steps + y!, steps + x!) < LEAST_DISTANCE;
}
