/**
 * What the symbols of Dysco stand for: each an equal share of a distribution, its middle; the last one a value that is not
 * finite.
 *
 * @module
 */

import { filterError } from "../common/filter.ts";
import { normalCdf, normalQuantile, studentQuantiles } from "./distributions.ts";

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
