// sum_pixels: out[f] += sum of the samples of frame f
//
// Integers: pairs are added to 32-bit lanes, which are emptied before they can overflow.
// Floats: every row in 8 lanes of f64, sample i in lane i mod 8, folded ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)); then row
// after row, so that the bits do not depend on how many rows a call has.

import { orderOf, sample, vecIn, wideHigh, wideLow } from "./vectors";

// @ts-ignore: decorator
@inline export function sumPixels<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, rows: i32, rowLength: i32, be: bool): void {
  for (let f = 0; f < frames; f++, data += frameStride, out += outStride) {
    let sum = load<f64>(out);
    if (isInteger<T>()) sum += <f64>integers<T>(data, rows * rowLength, be);
    else {
      for (let row = 0, p = data; row < rows; row++, p += <usize>rowLength * sizeof<T>()) sum += floatRow<T>(p, rowLength, be);
    }
    store<f64>(out, sum);
  }
}

/** Samples after which 32-bit lanes are emptied: 4 lanes take at most 2^16 pairs of 16-bit samples each. */
const EMPTY: i32 = 1 << 17;

// @ts-ignore: decorator
@inline function integers<T>(p: usize, n: i32, be: bool): i64 {
  const order = orderOf<T>(n);
  let total: i64 = 0, i = 0;
  if (sizeof<T>() <= 2) {
    const step: i32 = 16 / sizeof<T>();
    while (i + step <= n) {
      const stop = min(n, i + EMPTY);
      let a = i32x4.splat(0), b = a;
      for (; i + 2 * step <= stop; i += 2 * step) {
        a = i32x4.add(a, pairs<T>(vecIn<T>(p + <usize>i * sizeof<T>(), be, order)));
        b = i32x4.add(b, pairs<T>(vecIn<T>(p + <usize>(i + step) * sizeof<T>(), be, order)));
      }
      if (i + step <= stop) {
        a = i32x4.add(a, pairs<T>(vecIn<T>(p + <usize>i * sizeof<T>(), be, order)));
        i += step;
      }
      total += lanes<T>(a) + lanes<T>(b);
    }
  } else {
    let a = i64x2.splat(0), b = a;
    for (; i + 4 <= n; i += 4) {
      const v = vecIn<T>(p + <usize>i * sizeof<T>(), be, order);
      a = i64x2.add(a, isSigned<T>() ? i64x2.extend_low_i32x4_s(v) : i64x2.extend_low_i32x4_u(v));
      b = i64x2.add(b, isSigned<T>() ? i64x2.extend_high_i32x4_s(v) : i64x2.extend_high_i32x4_u(v));
    }
    a = i64x2.add(a, b);
    total = i64x2.extract_lane(a, 0) + i64x2.extract_lane(a, 1);
  }
  for (; i < n; i++) total += <i64>sample<T>(p + <usize>i * sizeof<T>(), be);
  return total;
}

// @ts-ignore: decorator
@inline function pairs<T>(v: v128): v128 {
  if (sizeof<T>() == 2) return isSigned<T>() ? i32x4.extadd_pairwise_i16x8_s(v) : i32x4.extadd_pairwise_i16x8_u(v);
  return isSigned<T>()
    ? i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_s(v))
    : i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v));
}

// @ts-ignore: decorator
@inline function lanes<T>(v: v128): i64 {
  const wide = isSigned<T>()
    ? i64x2.add(i64x2.extend_low_i32x4_s(v), i64x2.extend_high_i32x4_s(v))
    : i64x2.add(i64x2.extend_low_i32x4_u(v), i64x2.extend_high_i32x4_u(v));
  return i64x2.extract_lane(wide, 0) + i64x2.extract_lane(wide, 1);
}

// @ts-ignore: decorator
@inline function floatRow<T>(p: usize, n: i32, be: bool): f64 {
  const body = n & ~7, order = orderOf<T>(n);
  let l01 = f64x2.splat(0), l23 = l01, l45 = l01, l67 = l01;
  for (let i = 0; i < body; i += 8, p += 8 * sizeof<T>()) {
    if (sizeof<T>() == 4) {
      const low = vecIn<T>(p, be, order), high = vecIn<T>(p + 16, be, order);
      l01 = f64x2.add(l01, wideLow<T>(low));
      l23 = f64x2.add(l23, wideHigh<T>(low));
      l45 = f64x2.add(l45, wideLow<T>(high));
      l67 = f64x2.add(l67, wideHigh<T>(high));
    } else {
      l01 = f64x2.add(l01, vecIn<T>(p, be, order));
      l23 = f64x2.add(l23, vecIn<T>(p + 16, be, order));
      l45 = f64x2.add(l45, vecIn<T>(p + 32, be, order));
      l67 = f64x2.add(l67, vecIn<T>(p + 48, be, order));
    }
  }
  const rest = n - body;
  if (rest > 0) l01 = f64x2.add(l01, f64x2(<f64>sample<T>(p, be), rest > 1 ? <f64>sample<T>(p + sizeof<T>(), be) : -0.0));
  if (rest > 2) l23 = f64x2.add(l23, f64x2(<f64>sample<T>(p + 2 * sizeof<T>(), be), rest > 3 ? <f64>sample<T>(p + 3 * sizeof<T>(), be) : -0.0));
  if (rest > 4) l45 = f64x2.add(l45, f64x2(<f64>sample<T>(p + 4 * sizeof<T>(), be), rest > 5 ? <f64>sample<T>(p + 5 * sizeof<T>(), be) : -0.0));
  if (rest > 6) l67 = f64x2.add(l67, f64x2(<f64>sample<T>(p + 6 * sizeof<T>(), be), -0.0));
  const folded = f64x2.add(f64x2.add(l01, l45), f64x2.add(l23, l67));
  return f64x2.extract_lane(folded, 0) + f64x2.extract_lane(folded, 1);
}
