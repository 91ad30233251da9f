// min_max: out[0] = the smaller of out[0] and all samples, out[1] = the larger; NaN does not count.
//
// Integers are compared in vectors of their own type, floats as f64.

import { orderOf, sample, vecIn } from "./vectors";
import { f64x2In } from "./widen";

// @ts-ignore: decorator
@inline export function minMax<T>(out: usize, data: usize, n: i32, be: bool): void {
  if (isInteger<T>()) {
    if (n <= 0) return;
    const low = <f64>lowest<T>(data, n, be), high = <f64>highest<T>(data, n, be);
    if (low < load<f64>(out)) store<f64>(out, low);
    if (high > load<f64>(out, 8)) store<f64>(out, high, 8);
    return;
  }
  const body = n & ~1, order = orderOf<T>(n);
  let low = f64x2.splat(load<f64>(out)), high = f64x2.splat(load<f64>(out, 8));
  for (let i = 0; i < body; i += 2) {
    const v = f64x2In<T>(data + <usize>i * sizeof<T>(), be, order);
    low = f64x2.pmin(low, v);
    high = f64x2.pmax(high, v);
  }
  if (body < n) {
    const v = f64x2.splat(<f64>sample<T>(data + <usize>body * sizeof<T>(), be));
    low = f64x2.pmin(low, v);
    high = f64x2.pmax(high, v);
  }
  const l = f64x2.extract_lane(low, 0), m = f64x2.extract_lane(low, 1);
  const h = f64x2.extract_lane(high, 0), i = f64x2.extract_lane(high, 1);
  store<f64>(out, m < l ? m : l);
  store<f64>(out, h < i ? i : h, 8);
}

/** The smallest of `n` > 0 integers. */
// @ts-ignore: decorator
@inline export function lowest<T>(data: usize, n: i32, be: bool): T {
  return extreme<T>(data, n, false, be);
}

/** The largest of `n` > 0 integers. */
// @ts-ignore: decorator
@inline export function highest<T>(data: usize, n: i32, be: bool): T {
  return extreme<T>(data, n, true, be);
}

// @ts-ignore: decorator
@inline function extreme<T>(data: usize, n: i32, larger: bool, be: bool): T {
  const bytes = <usize>n * sizeof<T>(), order = orderOf<T>(n);
  let found = sample<T>(data, be), at: usize = 0;
  if (bytes >= 16) {
    let a = vecIn<T>(data, be, order), b = a;
    for (; at + 32 <= bytes; at += 32) {
      a = better<T>(a, vecIn<T>(data + at, be, order), larger);
      b = better<T>(b, vecIn<T>(data + at + 16, be, order), larger);
    }
    a = better<T>(a, b, larger);
    if (at + 16 <= bytes) {
      a = better<T>(a, vecIn<T>(data + at, be, order), larger);
      at += 16;
    }
    a = better<T>(a, i64x2.shuffle(a, a, 1, 0), larger);
    a = better<T>(a, i32x4.shuffle(a, a, 1, 0, 3, 2), larger);
    if (sizeof<T>() <= 2) a = better<T>(a, i16x8.shuffle(a, a, 1, 0, 3, 2, 5, 4, 7, 6), larger);
    if (sizeof<T>() == 1) a = better<T>(a, i8x16.shuffle(a, a, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14), larger);
    found = <T>v128.extract_lane<T>(a, 0);
  }
  for (; at < bytes; at += sizeof<T>()) {
    const v = sample<T>(data + at, be);
    found = larger ? max<T>(found, v) : min<T>(found, v);
  }
  return found;
}

// @ts-ignore: decorator
@inline function better<T>(a: v128, b: v128, larger: bool): v128 {
  return larger ? v128.max<T>(a, b) : v128.min<T>(a, b);
}
