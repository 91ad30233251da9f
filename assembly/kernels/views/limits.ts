// Limits that samples are compared with: an f64 as a sample, and the ends of integer types.

/** The greatest f32 that is not greater than `limit`. */
// @ts-ignore: decorator
@inline export function atMost(limit: f64): f32 {
  const near = <f32>limit;
  if (!(<f64>near > limit)) return near;
  if (near == 0) return -f32.MIN_VALUE; // the smallest number above 0, negative: -0 has no next bits below
  const bits = reinterpret<i32>(near);
  return reinterpret<f32>(near > 0 ? bits - 1 : bits + 1);
}

/** The least number of an integer type. */
// @ts-ignore: decorator
@inline export function startOf<T>(): f64 {
  return isSigned<T>() ? -power(8 * sizeof<T>() - 1) : 0;
}

/** One more than its greatest number: a power of two, also of 64 bits, where less than that is not an f64. */
// @ts-ignore: decorator
@inline export function endOf<T>(): f64 {
  return power(8 * sizeof<T>() - (isSigned<T>() ? 1 : 0));
}

/** 2^exponent. */
// @ts-ignore: decorator
@inline function power(exponent: usize): f64 {
  return reinterpret<f64>((<i64>1023 + <i64>exponent) << 52);
}
