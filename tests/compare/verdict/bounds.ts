/**
 * How far two results may be apart when both are computed rightly, but one of them in float32: bounds of rounding errors,
 * computed from the samples of each case.
 *
 * A sum of n products in floating point is off by at most γ(n) Σ|w||x|, in whatever order they are added (Higham,
 * Accuracy and Stability of Numerical Algorithms, §3.1). Sums of whole numbers below 2^24 are exact in float32, too:
 * there the bound is 0.
 *
 * @module
 */

import { type DType, resultType } from "../../../src/space/dtype.ts";
import type { DataSpec } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";

/** Half a unit in the last place of 1: float32. */
export const SINGLE = 2 ** -24;

/** The same of float64. */
export const DOUBLE = 2 ** -53;

/** The roundoff of the type in which the peer's UDFs get samples, unless they ask for others. */
export function roundoff({ dtype }: Pick<DataSpec, "dtype">): number {
  return roundoffOf(resultType("float32", dtype));
}

/** The roundoff of a float type. */
export function roundoffOf(dtype: DType): number {
  return dtype === "float32" || dtype === "complex64" ? SINGLE : DOUBLE;
}

/** Largest number of a type with this roundoff. */
export function largest(unit: number): number {
  return unit === SINGLE ? 3.4e38 : 1.7e308;
}

/**
 * Bound of the relative error after `n` roundings.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(gamma(0, SINGLE), 0);
 * assertEquals(gamma(2 ** 24, SINGLE), Infinity);
 * ```
 */
export function gamma(n: number, unit: number): number {
  return n * unit < 1 ? n * unit / (1 - n * unit) : Infinity;
}

/** A number, and how far it may be off. */
export interface Approx {
  /** The number. */
  readonly value: number;
  /** Its largest error. */
  readonly error: number;
}

/** A quotient; without bound where the denominator may be 0. */
export function quotient(a: Approx, b: Approx, unit: number): Approx {
  const value = a.value / b.value;
  const least = Math.abs(b.value) - b.error;
  const spread = a.error + Math.abs(value) * b.error;
  if (!(least > 0) && spread !== 0) return { value: Number.isFinite(value) ? value : 0, error: Infinity };
  const error = spread === 0 ? 0 : spread / least;
  return { value, error: error + 2 * unit * Math.abs(value) };
}

/** A sum of numbers times exact weights. */
export function combination(terms: readonly (readonly [Approx, number])[], unit: number): Approx {
  let [value, error, size] = [0, 0, 0];
  for (const [term, weight] of terms) {
    if (weight === 0) continue;
    value += weight * term.value;
    error += Math.abs(weight) * term.error;
    size += Math.abs(weight * term.value);
  }
  return { value, error: error + gamma(terms.length + 2, unit) * size };
}

/** A root: near 0 errors grow. */
export function root({ value, error }: Approx, unit: number): Approx {
  const found = Math.sqrt(Math.max(0, value));
  const least = Math.sqrt(Math.max(0, value - error));
  return { value: found, error: (error === 0 ? 0 : error / (found + least)) + 2 * unit * found };
}

/** Options of {@link sumErrors}. */
export interface SumOptions {
  /** Weight of each pixel; 1 if there are none. Complex weights as pairs. */
  readonly weights?: ArrayLike<number>;
  /** Whether the weights are pairs. */
  readonly complexWeights?: boolean;
  /** Relative error of the weights themselves. */
  readonly weightError?: number;
  /** Roundoff in which the peer computes. */
  readonly unit: number;
}

/** Of each present position: the bound of the error of its weighted sum. */
export function sumErrors(truth: Truth, options: SumOptions): Map<number, number> {
  return new Map(truth.present.map((position) => [position, sumError(truth, position, options)]));
}

/** The bound of the error of the weighted sum of one frame. */
export function sumError(truth: Truth, position: number, options: SumOptions): number {
  const { weights, complexWeights = false, weightError = 0, unit } = options;
  const magnitudes = truth.magnitudes(position);
  let size = 0, areWhole = truth.areWhole && weightError === 0;
  for (let p = 0; p < truth.pixels; p++) {
    const [re, im] = complexWeights ? [weights![2 * p]!, weights![2 * p + 1]!] : [weights?.[p] ?? 1, 0];
    const weight = Math.abs(re) + Math.abs(im);
    if (weight === 0) continue;
    if (areWhole && !(Number.isInteger(re) && Number.isInteger(im))) areWhole = false;
    let magnitude = 0;
    for (let unit = 0; unit < truth.units; unit++) magnitude += magnitudes[truth.units * p + unit]!;
    size += weight * magnitude;
  }
  const terms = truth.pixels * (truth.units * (complexWeights ? 2 : 1));
  return errorOfSum(size, terms, { areWhole, unit, relative: weightError + truth.sampleError });
}

/** Facts of a sum. */
export interface SumFacts {
  /** Whether all terms are whole numbers. */
  readonly areWhole: boolean;
  /** Roundoff. */
  readonly unit: number;
  /** Relative error of each term. */
  readonly relative: number;
}

/** The bound of the error of a sum of `terms` products whose absolute values add up to `size`. */
export function errorOfSum(size: number, terms: number, { areWhole, unit, relative }: SumFacts): number {
  if (areWhole && size < 1 / unit) return 0;
  if (!(size < largest(unit))) return Infinity; // the peer may overflow
  return (gamma(terms + 8, unit) + relative) * size + Number.MIN_VALUE;
}

/** One number for each position of the scan: `of` those that are present, 0 for all others. */
export function perPosition(truth: Truth, of: (position: number) => number): Float64Array {
  const found = new Float64Array(truth.frames);
  for (const position of truth.present) found[position] = of(position);
  return found;
}

/** Several numbers for each position of the scan. */
export function perEntry(
  truth: Truth,
  entries: number,
  of: (position: number) => ArrayLike<number>,
): Float64Array {
  const found = new Float64Array(truth.frames * entries);
  for (const position of truth.present) found.set(of(position), position * entries);
  return found;
}
