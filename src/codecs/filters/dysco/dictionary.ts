/**
 * What the symbols of Dysco stand for: each an equal share of a distribution, its middle; the last one a value that is not
 * finite.
 *
 * @module
 */

import { filterError } from "../common/filter.ts";

// Quantiles of the normal distribution and of Student's, as accurate as tables of 32-bit floats need them.

/** Where the sum is replaced by the continued fraction. */
const FAR = 3;
/** Steps after which a sum, a fraction or a root is found to the last bit or never will be. */
const MOST_STEPS = 500;

/** The error function of x ≥ 0. */
function erf(x: number): number {
  return x < FAR ? erfSum(x) : 1 - erfcFraction(x);
}

/** 2/√π · exp(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1 · 3 · … · (2n + 1)): all of it is positive, so that nothing cancels. */
function erfSum(x: number): number {
  let term = x, sum = x;
  for (let n = 1; n < MOST_STEPS && term > sum * 1e-17; n++) sum += term *= 2 * x * x / (2 * n + 1);
  return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
}

/** 1 − erf(x) by its continued fraction, from the inside: exp(−x²)/√π · 1/(x + ½/(x + 1/(x + 3⁄2/(x + …)))). */
function erfcFraction(x: number): number {
  let fraction = x;
  for (let n = 120; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/**
 * The part of a normal distribution below x ≥ 0.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(normalCdf(1.959963984540054), 0.975, 1e-15);
 * ```
 */
export function normalCdf(x: number): number {
  return 0.5 + 0.5 * erf(x / Math.SQRT2);
}

/** The part of a normal distribution above x ≥ 0. */
function normalTail(x: number): number {
  return x < FAR * Math.SQRT2 ? 0.5 - 0.5 * erf(x / Math.SQRT2) : 0.5 * erfcFraction(x / Math.SQRT2);
}

/**
 * The value that a part `p` of a normal distribution is below.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(normalQuantile(0.025), -1.959963984540054, 1e-14);
 * ```
 */
export function normalQuantile(p: number): number {
  const density = (x: number) => Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  return symmetric(p, (q) => rootOf(q, normalTail, density));
}

/**
 * The values that parts of Student's distribution with `nu` degrees of freedom are below.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 * assertAlmostEquals(studentQuantiles(3)(0.975), 3.182446305284263, 1e-12);
 * ```
 */
export function studentQuantiles(nu: number): (p: number) => number {
  const logBeta = logGamma(nu / 2) + logGamma(0.5) - logGamma((nu + 1) / 2);
  const scale = Math.exp(-logBeta) / Math.sqrt(nu);
  const density = (t: number) => scale * (1 + t * t / nu) ** (-(nu + 1) / 2);
  const tail = (t: number) =>
    0.5 * incompleteBeta(nu / (nu + t * t), t * t / (nu + t * t), nu / 2, 0.5, logBeta);
  return (p) => symmetric(p, (q) => rootOf(q, tail, density));
}

/** A quantile of a symmetric distribution, from the function that finds where its upper tail is `q` ≤ ½. */
function symmetric(p: number, upper: (q: number) => number): number {
  return p === 0.5 ? 0 : p < 0.5 ? -upper(p) : upper(1 - p);
}

/** Where `tail`, which falls from ½ at 0 and is convex, is `q`: Newton's steps from the left never go too far. */
function rootOf(q: number, tail: (x: number) => number, density: (x: number) => number): number {
  let x = 0;
  for (let n = 0; n < MOST_STEPS; n++) {
    const step = (tail(x) - q) / density(x);
    x += step;
    if (!(Math.abs(step) > 1e-14 * x)) break;
  }
  return x;
}

/** Coefficients of Lanczos for g = 7. */
const LANCZOS = [
  0.99999999999980993,
  676.5203681218851,
  -1259.1392167224028,
  771.32342877765313,
  -176.61502916214059,
  12.507343278686905,
  -0.13857109526572012,
  9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** The logarithm of the gamma function of x > 0. */
function logGamma(x: number): number {
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  const t = x - 1 + 7.5;
  const sum = LANCZOS.reduce((all, c, i) => i === 0 ? c : all + c / (x - 1 + i), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The regularised incomplete beta function of x = 1 − y, with the logarithm of the whole. */
function incompleteBeta(x: number, y: number, a: number, b: number, logBeta: number): number {
  if (x === 0) return 0;
  if (y === 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(y, x, b, a, logBeta);
  const front = Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta);
  return front / a / betaFraction(x, a, b);
}

/** 1 + d₁/(1 + d₂/(1 + …)) of the incomplete beta function, by the method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  let fraction = 1, c = 1, d = 0;
  for (let n = 1; n < MOST_STEPS; n++) {
    const m = n >> 1;
    const coefficient = n % 2 === 0
      ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + coefficient * d);
    c = 1 + coefficient / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return fraction;
}

/** The distributions, in the order of their numbers in files. */
export const DISTRIBUTIONS = ["Gaussian", "Uniform", "StudentsT", "TruncatedGaussian"] as const;

/** Kept dictionaries; few are in use at a time. */
const MOST_KEPT = 4;
const kept = new Map<string, Float32Array>();

/** The values of the symbols of `bits` bits. `parameter`: degrees of freedom, or where the normal distribution is cut off. */
export function dictionaryOf(bits: number, distribution: number, parameter: number): Float32Array {
  const key = [bits, distribution, parameter].join();
  const found = kept.get(key) ?? made(bits, distribution, parameter);
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return found;
}

function made(bits: number, distribution: number, parameter: number): Float32Array {
  const shares = 2 ** bits - 1, quantile = quantiles(distribution, parameter);
  const values = new Float32Array(shares + 1);
  for (let i = 0; i < shares >> 1; i++) { // the distributions are symmetric, and the one in the middle is 0
    values[i] = quantile((i + 0.5) / shares);
    values[shares - 1 - i] = -values[i]!;
  }
  values[shares] = NaN;
  return values;
}

/** Squared errors are least with values of a distribution that is wider by √3, of which files have 32 bits. */
const WIDER = Math.fround(Math.sqrt(3));

function quantiles(distribution: number, parameter: number): (share: number) => number {
  switch (DISTRIBUTIONS[distribution]) {
    case "Gaussian":
      return (share) => WIDER * halved(share);
    case "Uniform":
      return (share) => WIDER * (2 * share - 1);
    case "StudentsT":
      return studentQuantiles(parameter);
    case "TruncatedGaussian": {
      const below = 1 - normalCdf(parameter);
      return (share) => normalQuantile(share * (1 - 2 * below) + below);
    }
    default:
      throw filterError("dysco", `there is no distribution ${distribution}`);
  }
}

/** The quantile of a normal distribution as writers find it, which stop halving an interval at an error of 1e-13. */
function halved(share: number): number {
  if (share < 0.5) return -halved(1 - share);
  if (share === 0.5) return 0;
  let high = 1;
  while (normalCdf(high) < share) high *= 2;
  let low = high === 1 ? 0 : high / 2;
  for (let before = high, worse = 0;;) {
    const middle = (low + high) / 2, found = normalCdf(middle);
    if (found > share) high = middle;
    else low = middle;
    const error = Math.abs(found - share);
    worse = error >= before ? worse + 1 : 0;
    if (worse > 10 || error <= 1e-13) return middle;
    before = error;
  }
}
