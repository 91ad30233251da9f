/**
 * Sums and sums of squares that follow from the samples alone, for data that the peer is known to read wrongly.
 *
 * @module
 */

import { DOUBLE, gamma } from "../bounds.ts";
import type { Found } from "../excuses.ts";
import type { Truth } from "../truth.ts";

/** Whether number `i` of a result of ours is that sum of the samples, computed in float64. */
export function isTrueMoment({ mismatch: { name, what, ours }, truth }: Found, i: number): boolean {
  if (what !== "values" || truth.units !== 1 || truth.sampleError !== 0) return false;
  const terms = name === "sum" ? ofFrame(truth, i) : name === "squares" ? ofPixel(truth, i) : undefined;
  if (!terms) return false;
  const total = terms.reduce((sum, x) => sum + x, 0);
  const size = terms.reduce((sum, x) => sum + Math.abs(x), 0);
  return Math.abs(Number(ours?.data[i]) - total) <= 2 * gamma(terms.length + 1, DOUBLE) * size;
}

function ofFrame(truth: Truth, position: number): number[] | undefined {
  return truth.present.includes(position) ? Array.from(truth.samples(position)) : undefined;
}

function ofPixel(truth: Truth, pixel: number): number[] {
  return truth.present.map((position) => truth.samples(position)[pixel]! ** 2);
}
