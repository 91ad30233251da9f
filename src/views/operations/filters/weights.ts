/**
 * Weights of filters along one dimension, and products of them.
 *
 * @module
 */

import { exponential } from "../../../space/functions/functions.ts";

/** Weights along one dimension: an odd number, the middle one for the sample itself. */
export type Weights = readonly number[];

/** A filter that is a product: weights for each dimension, slowest first; `[1]` leaves a dimension as it is. */
export type Product = readonly Weights[];

/** The weight of the sample alone. */
export const SAME: Weights = [1];
/** Half of the difference of both neighbours is the slope; this is the difference. */
export const DIFFERENCE: Weights = [-1, 0, 1];
/** The second derivative. */
export const CURVATURE: Weights = [1, -2, 1];

/** Samples on both sides. */
export function reachOf(weights: Weights): number {
  return (weights.length - 1) / 2;
}

/** As many equal weights as windows of this radius have samples. */
export function boxWeights(radius: number): Weights {
  return Array<number>(2 * radius + 1).fill(1);
}

/** Samples on both sides of a Gaussian, `truncate` standard deviations, rounded. */
export function gaussianReach(sigma: number, truncate: number): number {
  return Math.floor(truncate * sigma + 0.5);
}

/**
 * Samples of a Gaussian whose sum is 1, or of its derivative of an `order`: correlation with them differentiates, so that
 * those of order 1 are positive on the right.
 */
export function gaussianWeights(sigma: number, truncate: number, order = 0): Weights {
  const reach = gaussianReach(sigma, truncate);
  if (sigma === 0) return SAME;
  const bells = Array.from(
    { length: 2 * reach + 1 },
    (_, i) => exponential(-(((i - reach) / sigma) ** 2) / 2),
  );
  const sum = bells.reduce((total, bell) => total + bell, 0);
  const factors = derivative(sigma, order);
  return bells.map((bell, i) => bell / sum * polynomial(factors, i - reach) * (order % 2 === 0 ? 1 : -1));
}

/** The polynomial by which a Gaussian is multiplied in its derivative, lowest power first: `q' - q x / σ²`, `order` times. */
function derivative(sigma: number, order: number): number[] {
  let factors = [1];
  for (let n = 0; n < order; n++) {
    factors = Array.from({ length: factors.length + 1 }, (_, power) => {
      return (power + 1) * (factors[power + 1] ?? 0) - (factors[power - 1] ?? 0) / sigma ** 2;
    });
  }
  return factors;
}

/** The value at `x`, computed from `|x|`, so that values at x and -x are equal but for their sign. */
function polynomial(factors: readonly number[], x: number): number {
  const value = factors.reduceRight((sum, factor) => sum * Math.abs(x) + factor, 0);
  return x < 0 && factors.length % 2 === 0 ? -value : value;
}

/** Weights as kernels take them: symmetric and antisymmetric ones are the first half, and the middle. */
export interface FoldedWeights {
  /** The weights that kernels read. */
  readonly weights: Weights;
  /** Samples per sum. */
  readonly count: number;
  /** 1: symmetric, -1: antisymmetric, 0: neither. */
  readonly fold: number;
}

/** Folds weights, if they can be folded. */
export function folded(weights: Weights): FoldedWeights {
  const count = weights.length;
  const half = weights.slice(0, (count + 1) / 2);
  const is = (sign: number) => half.every((weight, k) => weight === sign * weights[count - 1 - k]!);
  if (is(1)) return { weights: half, count, fold: 1 };
  if (is(-1)) return { weights: half, count, fold: -1 };
  return { weights, count, fold: 0 };
}
