// sum_pixels, moments, welford, welford_merge: what describes frames and stacks of frames.

import { kept, orderOf, sample, vec, vecIn, wideHigh, wideLow } from "./vectors";

// ---- sum_pixels: out[f] += sum of the samples of frame f ----
//
// Integers: pairs are added to 32-bit lanes, which are emptied before they can overflow.
// Floats: every row in 8 lanes of f64, sample i in lane i mod 8, folded ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)); then row
// after row, so that the bits do not depend on how many rows a call has.

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

// ---- moments: sum[p] += sum over f of x, squares[p] += sum over f of x^2; 8 and 16 bits, exact ----
//
// Sixteen pixels at a time, two frames a step: their samples are interleaved, so that one dot product with itself adds
// two squares and one with ones two samples. While all samples are below 2^14 in magnitude, as counts mostly are, the
// squares of 16 frames fit a 32-bit lane; where they do not, the sixteen pixels are done again the slow way:
// the low and high 16 bits of every square are added in separate lanes. So are the next WARY sixteens, then, as large
// samples come together.

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

// ---- welford: mean and sum of squared deviations, frame after frame (Welford 1962) ----
//
//   n += 1;  d = x - mean;  mean += d * (1 / n);  m2 += d * (x - mean)
//
// A pass takes up to PASS frames: as many as there are reciprocals at hand.

const PASS: i32 = 32;

// @ts-ignore: decorator
@inline export function welford<T>(mean: usize, m2: usize, before: i32, data: usize, frames: i32, frameStride: usize, pixels: i32, be: bool): void {
  for (let first = 0; first < frames; first += PASS) {
    const count = min(frames - first, PASS);
    const base = data + <usize>first * frameStride;
    const n = before + first;
    const body = pixels & ~7;
    for (let p = 0; p < body; p += 8) {
      eightDeviations<T>(mean + (<usize>p << 3), m2 + (<usize>p << 3), n, base + <usize>p * sizeof<T>(), count, frameStride, be);
    }
    for (let p = body; p < pixels; p++) {
      const at = <usize>p << 3;
      let m = load<f64>(mean + at), s = load<f64>(m2 + at);
      for (let f = 0, q = base + <usize>p * sizeof<T>(); f < count; f++, q += frameStride) {
        const x = <f64>sample<T>(q, be);
        const d = x - m;
        m += d * (1 / <f64>(n + f + 1));
        s += d * (x - m);
      }
      store<f64>(mean + at, m);
      store<f64>(m2 + at, s);
    }
  }
}

/** Eight pixels at a time: their chains of additions are independent, and one reciprocal serves them all. */
// @ts-ignore: decorator
@inline function eightDeviations<T>(mean: usize, m2: usize, n: i32, p: usize, frames: i32, stride: usize, be: bool): void {
  const order = orderOf<T>(frames);
  let ma = v128.load(mean), mb = v128.load(mean, 16), mc = v128.load(mean, 32), md = v128.load(mean, 48);
  let sa = v128.load(m2), sb = v128.load(m2, 16), sc = v128.load(m2, 32), sd = v128.load(m2, 48);
  for (let f = 1; f <= frames; f++, p += stride) {
    const r = f64x2.splat(1 / <f64>(n + f));
    const xa = deviationSamples<T>(p, 0, be, order), da = f64x2.sub(xa, ma);
    ma = f64x2.add(ma, f64x2.mul(da, r));
    sa = f64x2.add(sa, f64x2.mul(da, f64x2.sub(xa, ma)));
    const xb = deviationSamples<T>(p, 1, be, order), db = f64x2.sub(xb, mb);
    mb = f64x2.add(mb, f64x2.mul(db, r));
    sb = f64x2.add(sb, f64x2.mul(db, f64x2.sub(xb, mb)));
    const xc = deviationSamples<T>(p, 2, be, order), dc = f64x2.sub(xc, mc);
    mc = f64x2.add(mc, f64x2.mul(dc, r));
    sc = f64x2.add(sc, f64x2.mul(dc, f64x2.sub(xc, mc)));
    const xd = deviationSamples<T>(p, 3, be, order), dd = f64x2.sub(xd, md);
    md = f64x2.add(md, f64x2.mul(dd, r));
    sd = f64x2.add(sd, f64x2.mul(dd, f64x2.sub(xd, md)));
  }
  v128.store(mean, ma); v128.store(mean, mb, 16); v128.store(mean, mc, 32); v128.store(mean, md, 48);
  v128.store(m2, sa); v128.store(m2, sb, 16); v128.store(m2, sc, 32); v128.store(m2, sd, 48);
}

/** Samples 2 i and 2 i + 1 at `p` as f64. */
// @ts-ignore: decorator
@inline function deviationSamples<T>(p: usize, i: usize, be: bool, order: v128): v128 {
  if (sizeof<T>() == 8) return vecIn<T>(p + 16 * i, be, order);
  const raw = v128.load64_zero(p + 8 * i);
  return wideLow<T>(be ? i8x16.swizzle(raw, order) : raw);
}

// ---- welford_merge: A becomes the union of A and B (Chan, Golub, LeVeque 1983) ----

// @ts-ignore: decorator
@inline export function welfordMerge<T>(meanA: usize, m2A: usize, nA: f64, meanB: usize, m2B: usize, nB: f64, pixels: i32): void {
  if (nB == 0) return;
  if (nA == 0) {
    memory.copy(meanA, meanB, <usize>pixels << 3);
    memory.copy(m2A, m2B, <usize>pixels << 3);
    return;
  }
  const share = nB / (nA + nB), weight = nA * share;
  const body = pixels & ~1;
  const s = f64x2.splat(share), w = f64x2.splat(weight);
  let at: usize = 0;
  for (let p = 0; p < body; p += 2, at += 16) {
    const m = v128.load(meanA + at), d = f64x2.sub(v128.load(meanB + at), m);
    v128.store(meanA + at, f64x2.add(m, f64x2.mul(d, s)));
    const squares = f64x2.add(v128.load(m2A + at), v128.load(m2B + at));
    v128.store(m2A + at, f64x2.add(squares, f64x2.mul(f64x2.mul(d, d), w)));
  }
  if (body < pixels) {
    const m = load<f64>(meanA + at), d = load<f64>(meanB + at) - m;
    store<f64>(meanA + at, m + d * share);
    store<f64>(m2A + at, load<f64>(m2A + at) + load<f64>(m2B + at) + d * d * weight);
  }
}
