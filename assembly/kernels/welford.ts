// welford: mean and sum of squared deviations, frame after frame (Welford 1962)
//
//   n += 1;  d = x - mean;  mean += d * (1 / n);  m2 += d * (x - mean)
//
// A mean that is infinite stays so while samples are finite: where the formula says NaN, the mean is mean + x.
//
// A pass has at most PASS frames: each of them is on another page.

import { orderOf, sample, vecIn, wideLow } from "./vectors";

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
    deviations<T>(mean + (<usize>body << 3), m2 + (<usize>body << 3), n, base + <usize>body * sizeof<T>(), count, frameStride, pixels - body, be);
  }
}

/** One pixel after the other. */
function deviations<T>(mean: usize, m2: usize, n: i32, p: usize, frames: i32, stride: usize, pixels: i32, be: bool): void {
  for (; pixels > 0; pixels--, p += sizeof<T>(), mean += 8, m2 += 8) {
    let m = load<f64>(mean), s = load<f64>(m2);
    for (let f = 1, q = p; f <= frames; f++, q += stride) {
      const x = <f64>sample<T>(q, be), d = x - m, next = m + d * (1 / <f64>(n + f));
      m = next == next ? next : m + x;
      s += d * (x - m);
    }
    store<f64>(mean, m);
    store<f64>(m2, s);
  }
}

/**
 * Eight pixels at a time: their chains of additions are independent, and one reciprocal serves them all. Those with samples that are
 * not finite are done again one by one, so that all others need no look.
 */
// @ts-ignore: decorator
@inline function eightDeviations<T>(mean: usize, m2: usize, n: i32, p: usize, frames: i32, stride: usize, be: bool): void {
  const order = orderOf<T>(frames), first = p;
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
  const sums = f64x2.add(f64x2.add(ma, mb), f64x2.add(mc, md));
  if (isFloat<T>() && v128.any_true(f64x2.ne(sums, sums))) {
    deviations<T>(mean, m2, n, first, frames, stride, 8, be);
    return;
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

// welford_merge: A becomes the union of A and B (Chan, Golub, LeVeque 1983).

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
    const mean = f64x2.add(m, f64x2.mul(d, s));
    v128.store(meanA + at, v128.bitselect(mean, f64x2.add(m, v128.load(meanB + at)), f64x2.eq(mean, mean)));
    const squares = f64x2.add(v128.load(m2A + at), v128.load(m2B + at));
    v128.store(m2A + at, f64x2.add(squares, f64x2.mul(f64x2.mul(d, d), w)));
  }
  if (body < pixels) {
    const m = load<f64>(meanA + at), b = load<f64>(meanB + at), d = b - m, mean = m + d * share;
    store<f64>(meanA + at, mean == mean ? mean : m + b);
    store<f64>(m2A + at, load<f64>(m2A + at) + load<f64>(m2B + at) + d * d * weight);
  }
}
