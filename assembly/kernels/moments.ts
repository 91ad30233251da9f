// moments: sum[p] += sum over f of x, squares[p] += sum over f of x^2; 8 and 16 bits, exact
//
// Sixteen pixels at a time, two frames a step: their samples are interleaved, so that one dot product with itself adds
// two squares and one with ones two samples. While all samples are below 2^14 in magnitude, as counts mostly are, the
// squares of 16 frames fit a 32-bit lane; where they do not, the sixteen pixels are done again the slow way:
// the low and high 16 bits of every square are added in separate lanes. So are the next WARY sixteens, then, as large
// samples come together.

import { kept, orderOf, sample, vec, vecIn } from "./vectors";

const WARY: i32 = 15;

// @ts-ignore: decorator
@inline export function moments<T>(sum: usize, squares: usize, data: usize, frames: i32, frameStride: usize, pixels: i32, be: bool): void {
  for (let first = 0; first < frames; first += 16) {
    const count = min(frames - first, 16);
    const base = data + <usize>first * frameStride;
    const sixteens = pixels & ~15, body = pixels & ~7;
    let wary = 0;
    for (let p = 0; p < sixteens; p += 16) {
      const at = <usize>p << 3, samples = base + <usize>p * sizeof<T>();
      if (wary > 0 || !sixteenMoments<T>(sum + at, squares + at, samples, count, frameStride, be)) {
        wary = wary > 0 ? wary - 1 : WARY;
        eightMoments<T>(sum + at, squares + at, samples, count, frameStride, be);
        eightMoments<T>(sum + at + 64, squares + at + 64, samples + 8 * sizeof<T>(), count, frameStride, be);
      }
    }
    for (let p = sixteens; p < body; p += 8) {
      eightMoments<T>(sum + (<usize>p << 3), squares + (<usize>p << 3), base + <usize>p * sizeof<T>(), count, frameStride, be);
    }
    for (let p = body; p < pixels; p++) {
      let s: i64 = 0, q: i64 = 0;
      for (let f = 0, at = base + <usize>p * sizeof<T>(); f < count; f++, at += frameStride) {
        const x = <i64>sample<T>(at, be);
        s += x;
        q += x * x;
      }
      const at = <usize>p << 3;
      store<f64>(sum + at, load<f64>(sum + at) + <f64>s);
      store<f64>(squares + at, load<f64>(squares + at) + <f64>q);
    }
  }
}

/** Adds sums and squares of at most 16 frames, or nothing and says false where a square may not fit its lane. */
// @ts-ignore: decorator
@inline function sixteenMoments<T>(sum: usize, squares: usize, p: usize, frames: i32, stride: usize, be: bool): bool {
  const order = orderOf<T>(frames), one = kept(i16x8.splat(1), frames), pairs = frames & ~1;
  let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, q0 = s0, q1 = s0, q2 = s0, q3 = s0, seen = s0;
  for (let f = 0; f < pairs; f += 2, p += 2 * stride) {
    const a = lanesIn<T>(p, be, order), b = lanesIn<T>(p + stride, be, order);
    const low = mixLow(a, b), high = mixHigh(a, b);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(low, one)); q0 = i32x4.add(q0, i32x4.dot_i16x8_s(low, low));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(high, one)); q1 = i32x4.add(q1, i32x4.dot_i16x8_s(high, high));
    const c = lanesIn<T>(p + 8 * sizeof<T>(), be, order), d = lanesIn<T>(p + stride + 8 * sizeof<T>(), be, order);
    const more = mixLow(c, d), most = mixHigh(c, d);
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(more, one)); q2 = i32x4.add(q2, i32x4.dot_i16x8_s(more, more));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(most, one)); q3 = i32x4.add(q3, i32x4.dot_i16x8_s(most, most));
    if (sizeof<T>() == 2) seen = v128.or(seen, v128.or(v128.or(magnitude<T>(a), magnitude<T>(b)), v128.or(magnitude<T>(c), magnitude<T>(d))));
  }
  if (frames & 1) {
    const a = lanesIn<T>(p, be, order), c = lanesIn<T>(p + 8 * sizeof<T>(), be, order);
    s0 = i32x4.add(s0, i32x4.extend_low_i16x8_s(a)); q0 = i32x4.add(q0, i32x4.extmul_low_i16x8_s(a, a));
    s1 = i32x4.add(s1, i32x4.extend_high_i16x8_s(a)); q1 = i32x4.add(q1, i32x4.extmul_high_i16x8_s(a, a));
    s2 = i32x4.add(s2, i32x4.extend_low_i16x8_s(c)); q2 = i32x4.add(q2, i32x4.extmul_low_i16x8_s(c, c));
    s3 = i32x4.add(s3, i32x4.extend_high_i16x8_s(c)); q3 = i32x4.add(q3, i32x4.extmul_high_i16x8_s(c, c));
    if (sizeof<T>() == 2) seen = v128.or(seen, v128.or(magnitude<T>(a), magnitude<T>(c)));
  }
  if (sizeof<T>() == 2 && v128.any_true(v128.and(seen, i16x8.splat(-16384)))) return false;
  addWide<i32>(sum, s0); addWide<i32>(sum + 32, s1); addWide<i32>(sum + 64, s2); addWide<i32>(sum + 96, s3);
  addWide<u32>(squares, q0); addWide<u32>(squares + 32, q1); addWide<u32>(squares + 64, q2); addWide<u32>(squares + 96, q3);
  return true;
}

/** 8 samples as lanes of 16 bits. */
// @ts-ignore: decorator
@inline function lanesIn<T>(p: usize, be: bool, order: v128): v128 {
  if (sizeof<T>() == 1) return isSigned<T>() ? v128.load8x8_s(p) : v128.load8x8_u(p);
  return vecIn<T>(p, be, order);
}

/** x, or the bits of -1 - x where x is negative: the highest bit that is set says how large x is. */
// @ts-ignore: decorator
@inline function magnitude<T>(v: v128): v128 {
  return isSigned<T>() ? v128.xor(v, i16x8.shr_s(v, 15)) : v;
}

// @ts-ignore: decorator
@inline function mixLow(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline function mixHigh(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @ts-ignore: decorator
@inline function eightMoments<T>(sum: usize, squares: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  const mask = i32x4.splat(0xffff);
  let s0 = i32x4.splat(0), s1 = s0, low0 = s0, low1 = s0, high0 = s0, high1 = s0;
  for (let f = frames; f > 0; f--, p += stride) {
    const v = sizeof<T>() == 1 ? (isSigned<T>() ? v128.load8x8_s(p) : v128.load8x8_u(p)) : vec<T>(p, be);
    let q0: v128, q1: v128;
    if (isSigned<T>()) {
      s0 = i32x4.add(s0, i32x4.extend_low_i16x8_s(v));
      s1 = i32x4.add(s1, i32x4.extend_high_i16x8_s(v));
      q0 = i32x4.extmul_low_i16x8_s(v, v);
      q1 = i32x4.extmul_high_i16x8_s(v, v);
    } else {
      s0 = i32x4.add(s0, i32x4.extend_low_i16x8_u(v));
      s1 = i32x4.add(s1, i32x4.extend_high_i16x8_u(v));
      q0 = i32x4.extmul_low_i16x8_u(v, v);
      q1 = i32x4.extmul_high_i16x8_u(v, v);
    }
    if (sizeof<T>() == 1) { // at most 2^16: 2^15 frames fit as they are
      low0 = i32x4.add(low0, q0);
      low1 = i32x4.add(low1, q1);
    } else {
      low0 = i32x4.add(low0, v128.and(q0, mask));
      low1 = i32x4.add(low1, v128.and(q1, mask));
      high0 = i32x4.add(high0, i32x4.shr_u(q0, 16));
      high1 = i32x4.add(high1, i32x4.shr_u(q1, 16));
    }
  }
  addWide<T>(sum, s0);
  addWide<T>(sum + 32, s1);
  addSquares<T>(squares, low0, high0);
  addSquares<T>(squares + 32, low1, high1);
}

// @ts-ignore: decorator
@inline function addWide<T>(acc: usize, v: v128): void {
  addTo(acc, isSigned<T>() ? f64x2.convert_low_i32x4_s(v) : f64x2.convert_low_i32x4_u(v));
  const high = i64x2.shuffle(v, v, 1, 1);
  addTo(acc + 16, isSigned<T>() ? f64x2.convert_low_i32x4_s(high) : f64x2.convert_low_i32x4_u(high));
}

// @ts-ignore: decorator
@inline function addSquares<T>(acc: usize, low: v128, high: v128): void {
  addTo(acc, square<T>(low, high));
  addTo(acc + 16, square<T>(i64x2.shuffle(low, low, 1, 1), i64x2.shuffle(high, high, 1, 1)));
}

// @ts-ignore: decorator
@inline function square<T>(low: v128, high: v128): v128 {
  const light = f64x2.convert_low_i32x4_u(low);
  if (sizeof<T>() == 1) return light;
  return f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_u(high), f64x2.splat(65536)), light);
}

// @ts-ignore: decorator
@inline function addTo(acc: usize, v: v128): void {
  v128.store(acc, f64x2.add(v128.load(acc), v));
}
