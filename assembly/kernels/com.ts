// com: for every frame the sum, the sum weighted by y and the sum weighted by x, over runs of pixels.
//
//   for every frame f, for every run (y, x0, x1): for x in [x0, x1):
//     out[f] += (v, y v, x v)   with v = data[f][y - yFirst][x]
//
// A disk is one run a row, a ring one or two, so that pixels outside cost nothing. Within a run x counts from x0:
// sum(x v) = x0 S + T with S = sum(v), T = sum((x - x0) v).
//
// 8 and 16 bits: exact. S and T by dot products of 16 bits, in blocks of 512 samples: 64 steps of at most
// 2 * 32768 * 511 stay below 2^31. u16 is moved into the range of i16 by flipping its highest bit, and
// 32768 n, 32768 * sum(x - x0) added back.
// Other types: eight f64 lanes, sample i of a run in lane k = i mod 8, with j = (i - k) / 8:
//   S_k = sum(v), J_k = sum(j v), T_k = 8 J_k + k S_k, and S, T folded ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)).

import { kept, orderOf, sample, vecIn, wideHigh, wideLow } from "./vectors";

const BLOCK: i32 = 512;

// @ts-ignore: decorator
@inline export function com<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, rowLength: i32, yFirst: i32, runs: usize, count: i32, be: bool): void {
  for (let f = 0; f < frames; f++, data += frameStride, out += outStride) {
    if (sizeof<T>() <= 2) exactFrame<T>(out, data, rowLength, yFirst, runs, count, be);
    else wideFrame<T>(out, data, rowLength, yFirst, runs, count, be);
  }
}

/** The first sample of a run. */
// @ts-ignore: decorator
@inline function start<T>(data: usize, rowLength: i32, y: i32, x0: i32): usize {
  return data + (<usize>y * <usize>rowLength + <usize>x0) * sizeof<T>();
}

// All sums of a frame stay in lanes of 64 bits; a run costs no more than its vectors. Its last vector starts 8 samples
// before its end, what it has in common with the one before it set to 0.

// @ts-ignore: decorator
@inline function exactFrame<T>(out: usize, data: usize, rowLength: i32, yFirst: i32, runs: usize, count: i32, be: bool): void {
  const order = orderOf<T>(count), flip = kept(i16x8.splat(-32768), count), one = kept(i16x8.splat(1), count);
  const first = i16x8(0, 1, 2, 3, 4, 5, 6, 7), next = kept(i16x8.splat(16), count);
  const full = sizeof<T>() == 2 && !isSigned<T>();
  let sum = i64x2.splat(0), sumY = sum, sumX = sum;
  let moreSum: i64 = 0, moreY: i64 = 0, moreX: i64 = 0;
  for (let r = 0; r < count; r++, runs += 12) {
    const y = load<i32>(runs), xEnd = load<i32>(runs, 8);
    for (let x = load<i32>(runs, 4); x < xEnd; x += BLOCK) {
      const n = min(xEnd - x, BLOCK), p = start<T>(data, rowLength, y - yFirst, x);
      if (n < 8) {
        for (let i = 0; i < n; i++) {
          const v = <i64>sample<T>(p + <usize>i * sizeof<T>(), be);
          moreSum += v;
          moreY += y * v;
          moreX += (x + i) * v;
        }
        continue;
      }
      let s = i32x4.splat(0), t = s, u = s, xa = first, xb = i16x8.add(first, i16x8.splat(8));
      let i = 0, at = p;
      for (; i + 16 <= n; i += 16, at += 16 * sizeof<T>()) {
        const a = lanes<T>(at, be, order, flip), b = lanes<T>(at + 8 * sizeof<T>(), be, order, flip);
        s = i32x4.add(s, i32x4.dot_i16x8_s(a, one));
        t = i32x4.add(t, i32x4.dot_i16x8_s(a, xa));
        s = i32x4.add(s, i32x4.dot_i16x8_s(b, one));
        u = i32x4.add(u, i32x4.dot_i16x8_s(b, xb));
        xa = i16x8.add(xa, next);
        xb = i16x8.add(xb, next);
      }
      for (; i < n; i += 8) {
        const from = min(i, n - 8);
        const fresh = i16x8.ge_s(first, i16x8.splat(<i16>(i - from)));
        const a = v128.and(lanes<T>(p + <usize>from * sizeof<T>(), be, order, flip), fresh);
        s = i32x4.add(s, i32x4.dot_i16x8_s(a, one));
        t = i32x4.add(t, i32x4.dot_i16x8_s(a, i16x8.add(first, i16x8.splat(<i16>from))));
      }
      if (full) {
        const back = 32768 * <i64>n;
        moreSum += back;
        moreY += y * back;
        moreX += x * back + 16384 * <i64>(n * (n - 1));
      }
      sum = i64x2.add(sum, wide(s));
      sumY = i64x2.add(sumY, times(s, y));
      sumX = i64x2.add(sumX, i64x2.add(times(s, x), i64x2.add(wide(t), wide(u))));
    }
  }
  store<f64>(out, load<f64>(out) + <f64>(moreSum + both(sum)));
  store<f64>(out, load<f64>(out, 8) + <f64>(moreY + both(sumY)), 8);
  store<f64>(out, load<f64>(out, 16) + <f64>(moreX + both(sumX)), 16);
}

/** The four lanes, added in pairs. */
// @ts-ignore: decorator
@inline function wide(v: v128): v128 {
  return i64x2.add(i64x2.extend_low_i32x4_s(v), i64x2.extend_high_i32x4_s(v));
}

/** The four lanes times a number, added in pairs. */
// @ts-ignore: decorator
@inline function times(v: v128, by: i32): v128 {
  const factor = i32x4.splat(by);
  return i64x2.add(i64x2.extmul_low_i32x4_s(v, factor), i64x2.extmul_high_i32x4_s(v, factor));
}

// @ts-ignore: decorator
@inline function both(v: v128): i64 {
  return i64x2.extract_lane(v, 0) + i64x2.extract_lane(v, 1);
}

/** 8 samples as i16; u16 less 32768. */
// @ts-ignore: decorator
@inline function lanes<T>(p: usize, be: bool, order: v128, flip: v128): v128 {
  if (sizeof<T>() == 1) return isSigned<T>() ? v128.load8x8_s(p) : v128.load8x8_u(p);
  return isSigned<T>() ? vecIn<T>(p, be, order) : v128.xor(vecIn<T>(p, be, order), flip);
}

// @ts-ignore: decorator
@inline function wideFrame<T>(out: usize, data: usize, rowLength: i32, yFirst: i32, runs: usize, count: i32, be: bool): void {
  for (let r = 0; r < count; r++, runs += 12) {
    const y = load<i32>(runs), x0 = load<i32>(runs, 4), length = load<i32>(runs, 8) - x0;
    wideRun<T>(out, start<T>(data, rowLength, y - yFirst, x0), length, x0, y, be);
  }
}

// @ts-ignore: decorator
@inline function wideRun<T>(out: usize, p: usize, n: i32, x0: i32, y: i32, be: bool): void {
  const order = orderOf<T>(n), one = f64x2.splat(1);
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0, j = s0;
  for (; n >= 8; n -= 8, p += 8 * sizeof<T>()) {
    const first = vecIn<T>(p, be, order), second = vecIn<T>(p + 16, be, order);
    const v0 = wideLow<T>(first);
    s0 = f64x2.add(s0, v0); t0 = f64x2.add(t0, f64x2.mul(j, v0));
    const v1 = sizeof<T>() == 8 ? second : wideHigh<T>(first);
    s1 = f64x2.add(s1, v1); t1 = f64x2.add(t1, f64x2.mul(j, v1));
    const v2 = sizeof<T>() == 8 ? vecIn<T>(p + 32, be, order) : wideLow<T>(second);
    s2 = f64x2.add(s2, v2); t2 = f64x2.add(t2, f64x2.mul(j, v2));
    const v3 = sizeof<T>() == 8 ? vecIn<T>(p + 48, be, order) : wideHigh<T>(second);
    s3 = f64x2.add(s3, v3); t3 = f64x2.add(t3, f64x2.mul(j, v3));
    j = f64x2.add(j, one);
  }
  if (n > 0) {
    const v = upTo2<T>(p, n, be);
    s0 = f64x2.add(s0, v); t0 = f64x2.add(t0, f64x2.mul(j, v));
  }
  if (n > 2) {
    const v = upTo2<T>(p + 2 * sizeof<T>(), n - 2, be);
    s1 = f64x2.add(s1, v); t1 = f64x2.add(t1, f64x2.mul(j, v));
  }
  if (n > 4) {
    const v = upTo2<T>(p + 4 * sizeof<T>(), n - 4, be);
    s2 = f64x2.add(s2, v); t2 = f64x2.add(t2, f64x2.mul(j, v));
  }
  if (n > 6) {
    const v = upTo2<T>(p + 6 * sizeof<T>(), n - 6, be);
    s3 = f64x2.add(s3, v); t3 = f64x2.add(t3, f64x2.mul(j, v));
  }
  const total = fold(s0, s1, s2, s3);
  const moment = fold(weighted(t0, s0, 0), weighted(t1, s1, 2), weighted(t2, s2, 4), weighted(t3, s3, 6));
  store<f64>(out, load<f64>(out) + total);
  store<f64>(out, load<f64>(out, 8) + <f64>y * total, 8);
  store<f64>(out, load<f64>(out, 16) + (moment + <f64>x0 * total), 16);
}

/** The next sample and, if `n` is 2 or more, the one after it; else 0. */
// @ts-ignore: decorator
@inline function upTo2<T>(p: usize, n: i32, be: bool): v128 {
  const v = f64x2.replace_lane(f64x2.splat(0), 0, <f64>sample<T>(p, be));
  return n > 1 ? f64x2.replace_lane(v, 1, <f64>sample<T>(p + sizeof<T>(), be)) : v;
}

/** 8 J + k S for lanes k and k + 1. */
// @ts-ignore: decorator
@inline function weighted(j: v128, s: v128, k: f64): v128 {
  return f64x2.add(f64x2.mul(f64x2.splat(8), j), f64x2.mul(f64x2(k, k + 1), s));
}

// @ts-ignore: decorator
@inline function fold(l01: v128, l23: v128, l45: v128, l67: v128): f64 {
  const folded = f64x2.add(f64x2.add(l01, l45), f64x2.add(l23, l67));
  return f64x2.extract_lane(folded, 0) + f64x2.extract_lane(folded, 1);
}
