/**
 * The tables of the small transforms of `lanes_fft`: radices, twiddles, and the order of the frequencies in the result.
 *
 * @module
 */

import { cosine, sine } from "../../space/functions/functions.ts";

/** The tables that `lanes_fft` needs for images of `n × n` samples. */
export interface LanesPlan {
  /** Samples along both sides. */
  readonly n: number;
  /** The radix of every stage; their product is `n`. */
  readonly radices: Int32Array;
  /** Pairs (cos, sin), stage by stage. */
  readonly twiddles: Float32Array;
  /** `order[i]`: the frequency, from 0 to n − 1, at place `i` after the forward transform. */
  readonly order: Int32Array;
}

/** The plan for images of `n × n` samples. */
export function lanesPlan(n: number): LanesPlan {
  const radices = Int32Array.from(factors(n));
  return { n, radices, twiddles: twiddlesOf(n, radices), order: orderOf(n, radices) };
}

/** First factors of four, then the rest in ascending order; large primes are not split. */
function factors(n: number): number[] {
  const found: number[] = [];
  for (const p of [4, 2, 3, 5]) {
    for (; n % p === 0 && n > 1; n /= p) found.push(p);
  }
  for (let p = 7; n > 1; p += 2) {
    if (p * p > n) p = n;
    for (; n % p === 0 && n > 1; n /= p) found.push(p);
  }
  return found;
}

function twiddlesOf(n: number, radices: Int32Array): Float32Array {
  const pairs: number[] = [];
  const root = (turns: number, of: number) => {
    const angle = -2 * Math.PI * (turns % of) / of;
    pairs.push(cosine(angle), sine(angle));
  };
  let length = n;
  for (const p of radices) {
    if (p > 5) { for (let j = 0; j < p; j++) root(j, p); }
    for (let k = 0; k < length / p; k++) {
      for (let q = 1; q < p; q++) root(k * q, length);
    }
    length /= p;
  }
  return Float32Array.from(pairs);
}

/** The first digit of a frequency is the number of its block, the next digit that of the block inside it, and so on. */
function orderOf(n: number, radices: Int32Array): Int32Array {
  let [order, weight] = [[0], 1];
  for (const p of radices) {
    const step = weight;
    order = order.flatMap((frequency) => Array.from({ length: p }, (_, q) => frequency + q * step));
    weight *= p;
  }
  return Int32Array.from(order.length === n ? order : []);
}
