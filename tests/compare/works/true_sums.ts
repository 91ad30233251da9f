/**
 * Sums that follow from the samples alone, for results in which the peer is known to be wrong.
 *
 * @module
 */

import type { Truth } from "../truth.ts";

/** What number `i` of a result is, by work and result. */
const SUMS: Readonly<Record<string, (truth: Truth, i: number) => number>> = {
  "own-moments sum": ofFrame,
  "own-moments squares": (truth, i) => ofPixel(truth, i, (x) => x * x),
  "sumsig intensity": ofFrame,
  "sum intensity": (truth, i) => ofPixel(truth, i, (x) => x),
};

/** Relative error of the samples and of sums in float32. */
const TOLERANCE = 1e-5;

/** Whether `value` is number `i` of the result `name`, as computed from the samples. */
export function isTrueSum(name: string, value: number, i: number, truth: Truth): boolean {
  const expected = truth.units === 1 ? SUMS[name]?.(truth, i) : undefined;
  return expected !== undefined && Math.abs(value - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
}

function ofFrame(truth: Truth, position: number): number {
  if (!truth.present.includes(position)) return NaN;
  return truth.samples(position).reduce((sum, x) => sum + x, 0);
}

function ofPixel(truth: Truth, pixel: number, of: (sample: number) => number): number {
  return truth.present.reduce((sum, position) => sum + of(truth.samples(position)[pixel]!), 0);
}
