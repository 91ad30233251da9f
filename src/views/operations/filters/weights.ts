/**
 * Weights of filters along one dimension, and products of them.
 *
 * @module
 */

import type { Kernels } from "../../../kernels/bind.ts";
import type { KernelFamilies } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { denseStrides } from "../../../memory/strided.ts";
import type { DType } from "../../../space/dtype.ts";
import { exponential } from "../../../space/functions/functions.ts";
import type { Shape } from "../../../space/shape.ts";
import { eachPlace } from "../lines.ts";
import type { PlacedSamples } from "../operation.ts";

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

// Steps from what a pass has made to the next one along a dimension: means or sums, each of which is some samples and a rest.

/** Rows of a strip of a tile: what is between two passes over it stays in the second cache. */
export const STRIP_ROWS = 16;

/** The shape of a full strip. */
export function stripOf(tile: Shape): Shape {
  const rank = tile.length;
  return tile.map((n, d) => d === rank - 1 ? n : d === rank - 2 ? Math.min(n, STRIP_ROWS) : 1);
}

/** Bytes of scratch memory of passes that make so many samples each, of `each` bytes; and of steps, 8 for each of those joined. */
export function passScratch(
  sizes: readonly number[],
  each: number,
): Record<"first" | "second" | "steps", number> {
  const most = (some: readonly number[]) => Math.max(0, ...some);
  const [first, second] = [0, 1].map((place) => each * most(sizes.filter((_, n) => n % 2 === place)));
  return { first: first!, second: second!, steps: 8 * most(sizes.slice(0, -1)) };
}

/** A dense array of f64. */
export function denseAt(pointer: number, shape: Shape): PlacedSamples {
  return { pointer, shape, strides: denseStrides(shape, "float64") };
}

/** Along which dimension, and how many samples are in what stands there. */
interface Along {
  readonly d: number;
  readonly each: number;
}

/** Writes steps to the address `steps`, in the layout of `rests`; `samples` has their shape. */
type WriteSteps = (along: Along, samples: PlacedSamples, rests: PlacedSamples, steps: number) => void;

/** Steps of an array with samples of a type. */
export function stepsOf(kernels: Kernels, dtype: DType): WriteSteps {
  const restSteps: KernelFamilies["rest_steps"] = kernel(kernels, "rest_steps", dtype);
  return ({ d, each }, samples, rests, steps) => {
    const within = rests.shape.with(d, rests.shape[d]! - 1);
    const [rows, n] = [within.at(-2) ?? 1, within.at(-1)!];
    const [rowStride, restStride] = [samples.strides.at(-2) ?? 0, rests.strides.at(-2) ?? 0];
    const [step, restStep, move] = [samples.strides[d]!, rests.strides[d]!, steps - rests.pointer];
    eachPlace(within.slice(0, -2), samples, rests, (data, rest) => {
      restSteps(rest + move, data, rowStride, step, rest, restStride, restStep, rows, n, each);
    });
  };
}
