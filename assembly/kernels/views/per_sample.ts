// greater: 1 where a sample is greater than a limit, else 0. from_f64: numbers as samples of a type, as near as it has them.

import { atMost, endOf, startOf } from "./limits";

/**
 * The limit, an f64, is turned into one of the type of samples that divides them in the same way: integers greater than
 * 2.5 are those greater than 2, floats greater than a number are those greater than the next float below it.
 */
// @ts-ignore: decorator
@inline export function greater<T>(out: usize, data: usize, n: i32, limit: f64): void {
  if (limit != limit) { memory.fill(out, 0, n); return; }
  if (isInteger<T>()) {
    if (limit < startOf<T>()) { memory.fill(out, 1, n); return; }
    if (limit >= endOf<T>() - 1) { memory.fill(out, 0, n); return; }
    compare<T>(out, data, n, <T>floor(limit));
    return;
  }
  compare<T>(out, data, n, sizeof<T>() == 4 ? <T>atMost(limit) : <T>limit);
}

/** 16 samples at a time: their comparisons, all bits set or none, narrowed to bytes. */
// @ts-ignore: decorator
@inline function compare<T>(out: usize, data: usize, n: i32, limit: T): void {
  const body = n & ~15, limits = v128.splat<T>(limit), one = i8x16.splat(1);
  let i = 0;
  for (; i < body; i += 16) v128.store(out + i, v128.and(sixteen<T>(data + <usize>i * sizeof<T>(), limits), one));
  for (; i < n; i++) store<u8>(out + i, load<T>(data + <usize>i * sizeof<T>()) > limit ? 1 : 0);
}

// @ts-ignore: decorator
@inline function sixteen<T>(data: usize, limits: v128): v128 {
  if (sizeof<T>() == 1) return v128.gt<T>(v128.load(data), limits);
  if (sizeof<T>() == 2) return i8x16.narrow_i16x8_s(eight<T>(data, limits), eight<T>(data + 16, limits));
  return i8x16.narrow_i16x8_s(eight<T>(data, limits), eight<T>(data + 8 * sizeof<T>(), limits));
}

// @ts-ignore: decorator
@inline function eight<T>(data: usize, limits: v128): v128 {
  if (sizeof<T>() == 2) return v128.gt<T>(v128.load(data), limits);
  return i16x8.narrow_i32x4_s(four<T>(data, limits), four<T>(data + 4 * sizeof<T>(), limits));
}

// @ts-ignore: decorator
@inline function four<T>(data: usize, limits: v128): v128 {
  if (sizeof<T>() == 4) return v128.gt<T>(v128.load(data), limits);
  return i32x4.shuffle(v128.gt<T>(v128.load(data), limits), v128.gt<T>(v128.load(data, 16), limits), 0, 2, 4, 6);
}

/** Integers: the nearest one, of two the even one; those beyond the ends of the type become its ends, NaN becomes 0. */
export function fromF64<T>(out: usize, data: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const value = load<f64>(data + (<usize>i << 3));
    const at = out + <usize>i * sizeof<T>();
    if (isFloat<T>()) store<T>(at, <T>value);
    else if (value != value) store<T>(at, 0);
    else store<T>(at, <T>max(startOf<T>(), min(endOf<T>() - 1, nearest(value))));
  }
}
