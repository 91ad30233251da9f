/**
 * Cosine and sine of turns, one number at a time: the steps of the fast kernels, in f64 or in f32.
 *
 * @module
 */

import type { Complex } from "./numbers.ts";

/** Odd polynomials for `sin(2πx)`, interpolated in x² at the Chebyshev nodes of `[0, 1/16]`. */
const SINE = [
  6.283185307179586,
  -41.341702240399755,
  81.60524927607362,
  -76.70585975282492,
  42.058693925428685,
  -15.0946416761179,
  3.8199280942271643,
  -0.7177337921413454,
  0.10089695501646812,
] as const;
const SINE_SINGLE = [
  6.2831854820251465,
  -41.34168243408203,
  81.60247802734375,
  -76.58116912841797,
  39.75982666015625,
] as const;

/**
 * Cosine and sine of `turns` full turns.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * const [re, im] = expOfTurns(1e6 + 0.125);
 * assertAlmostEquals(re, Math.SQRT1_2, 1e-15);
 * assertAlmostEquals(im, Math.SQRT1_2, 1e-15);
 * ```
 */
export function expOfTurns(turns: number): [cos: number, sin: number] {
  const rest = restOf(turns);
  const size = Math.abs(rest);
  const half = 0.5 - size;
  const sin = sine(half < size ? half : size);
  return [sine(0.25 - size), signed(sin, rest)];
}

/** The same in f32, but for the reduction of turns. */
export function expOfTurnsSingle(turns: number): Complex {
  const rest = Math.fround(restOf(turns));
  const size = Math.abs(rest);
  const half = Math.fround(0.5 - size);
  const sin = sineSingle(half < size ? half : size);
  return [sineSingle(Math.fround(0.25 - size)), signed(sin, rest)];
}

/** Turns without their whole part, in [−1/2, 1/2]. */
export function restOf(turns: number): number {
  return turns - nearest(turns);
}

/** The sign of the rest, also that of −0. */
function signed(sin: number, rest: number): number {
  return rest < 0 || Object.is(rest, -0) ? -sin : sin;
}

/** `sin(2πx)` for x in [−1/4, 1/4]. */
function sine(x: number): number {
  return SINE.reduceRight((sum, coefficient) => sum * (x * x) + coefficient, 0) * x;
}

function sineSingle(x: number): number {
  const f = Math.fround;
  const square = f(x * x);
  let sum: number = SINE_SINGLE[4];
  for (let i = 3; i >= 0; i--) sum = f(f(sum * square) + SINE_SINGLE[i]!);
  return f(sum * x);
}

/** The nearest integer, ties to even. */
export function nearest(x: number): number {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 !== 0 ? up - 1 : up;
}
