// spreads, join_spreads: means and variances of windows, dimension by dimension, or their roots, standard deviations.
//
//   spreads:        d[k] = data[i + k steps] − data[i];  rest = (Σ d[k]) share, with share = 1 / count
//                   spread = (Σ d[k]² − (Σ d[k]) (Σ d[k]) share) share
//   join_spreads:   d[0] = 0;  d[k + 1] = d[k] + deltas[i + k steps];  rest = rests[i] + (Σ d[k]) share
//                   spread = (Σ (parts[i + k steps] + d[k]²) − (Σ d[k]) (Σ d[k]) share) share    (Chan, Golub, LeVeque 1983)
//   last:           0: rests and spreads;  1: spreads alone;  2: their roots
//
// A mean is the first sample of a window, and the rest, so that it keeps all digits, however far samples are from 0; deltas are the
// steps from one mean to the next (`rest_steps`). Squares are those of differences to a sample, or mean, of the window itself: as
// its own deviation is part of the variance, Σ d² is at most 1 + count times what is left of it. Equal samples have a variance of 0.
// Sums start at 0 and grow with k, so that a result depends on the samples of its window only.

import { f64x2At } from "../widen";

// @ts-ignore: decorator
@inline export function spreads<T>(rest: usize, spread: usize, data: usize, n: i32, step: usize, count: i32, last: i32): void {
  const share = 1 / <f64>count, all = f64x2.splat(share), next = <usize>2 * sizeof<T>();
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = data + <usize>x * sizeof<T>(), end = p + <usize>count * step;
    const a0 = f64x2At<T>(p, false), b0 = f64x2At<T>(p + next, false);
    const c0 = f64x2At<T>(p + 2 * next, false), d0 = f64x2At<T>(p + 3 * next, false);
    let a = f64x2.sub(a0, a0), b = f64x2.sub(b0, b0), c = f64x2.sub(c0, c0), d = f64x2.sub(d0, d0); // NaN stays NaN
    let sa = a, sb = b, sc = c, sd = d;
    for (let q = p + step; q != end; q += step) {
      const da = f64x2.sub(f64x2At<T>(q, false), a0), db = f64x2.sub(f64x2At<T>(q + next, false), b0);
      a = f64x2.add(a, da);
      b = f64x2.add(b, db);
      sa = f64x2.add(sa, f64x2.mul(da, da));
      sb = f64x2.add(sb, f64x2.mul(db, db));
      const dc = f64x2.sub(f64x2At<T>(q + 2 * next, false), c0), dd = f64x2.sub(f64x2At<T>(q + 3 * next, false), d0);
      c = f64x2.add(c, dc);
      d = f64x2.add(d, dd);
      sc = f64x2.add(sc, f64x2.mul(dc, dc));
      sd = f64x2.add(sd, f64x2.mul(dd, dd));
    }
    const ma = f64x2.mul(a, all), mb = f64x2.mul(b, all), mc = f64x2.mul(c, all), md = f64x2.mul(d, all);
    storeSpreads(spread + at, last, left(sa, a, ma, all), left(sb, b, mb, all), left(sc, c, mc, all), left(sd, d, md, all));
    if (!last) store8(rest + at, ma, mb, mc, md);
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = data + <usize>x * sizeof<T>(), end = p + <usize>count * step, first = <f64>load<T>(p);
    let sum = first - first, squares = sum;
    for (let q = p + step; q != end; q += step) {
      const d = <f64>load<T>(q) - first;
      sum += d;
      squares += d * d;
    }
    storeSpread(spread + at, last, leftOne(squares, sum, share));
    if (!last) store<f64>(rest + at, sum * share);
  }
}

// @ts-ignore: decorator
@inline export function joinSpreads<T>(
  rest: usize, spread: usize, rests: usize, parts: usize, deltas: usize, n: i32, step: usize, count: i32, last: i32,
): void {
  const share = 1 / <f64>count, all = f64x2.splat(share), others = parts - deltas;
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = parts + at, end = p + <usize>count * step;
    let sa = v128.load(p), sb = v128.load(p, 16), sc = v128.load(p, 32), sd = v128.load(p, 48);
    let a = f64x2.splat(0), b = a, c = a, d = a, da = a, db = a, dc = a, dd = a;
    for (let q = p + step, r = q - others - step; q != end; q += step, r += step) {
      da = f64x2.add(da, v128.load(r));
      db = f64x2.add(db, v128.load(r, 16));
      a = f64x2.add(a, da);
      b = f64x2.add(b, db);
      sa = f64x2.add(sa, f64x2.add(v128.load(q), f64x2.mul(da, da)));
      sb = f64x2.add(sb, f64x2.add(v128.load(q, 16), f64x2.mul(db, db)));
      dc = f64x2.add(dc, v128.load(r, 32));
      dd = f64x2.add(dd, v128.load(r, 48));
      c = f64x2.add(c, dc);
      d = f64x2.add(d, dd);
      sc = f64x2.add(sc, f64x2.add(v128.load(q, 32), f64x2.mul(dc, dc)));
      sd = f64x2.add(sd, f64x2.add(v128.load(q, 48), f64x2.mul(dd, dd)));
    }
    const ma = f64x2.mul(a, all), mb = f64x2.mul(b, all), mc = f64x2.mul(c, all), md = f64x2.mul(d, all);
    storeSpreads(spread + at, last, left(sa, a, ma, all), left(sb, b, mb, all), left(sc, c, mc, all), left(sd, d, md, all));
    if (last) continue;
    const from = rests + at;
    const ra = f64x2.add(v128.load(from), ma), rb = f64x2.add(v128.load(from, 16), mb);
    store8(rest + at, ra, rb, f64x2.add(v128.load(from, 32), mc), f64x2.add(v128.load(from, 48), md));
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = parts + at, end = p + <usize>count * step;
    let sum: f64 = 0, squares = load<f64>(p), d: f64 = 0;
    for (let q = p + step, r = q - others - step; q != end; q += step, r += step) {
      d += load<f64>(r);
      sum += d;
      squares += load<f64>(q) + d * d;
    }
    storeSpread(spread + at, last, leftOne(squares, sum, share));
    if (!last) store<f64>(rest + at, load<f64>(rests + at) + sum * share);
  }
}

/** The variance of numbers, each a `share` of them; squares that are infinite stay so, unless the sum is not finite either. */
// @ts-ignore: decorator
@inline function left(squares: v128, sum: v128, mean: v128, share: v128): v128 {
  const rest = f64x2.sub(squares, f64x2.mul(sum, mean)), most = f64x2.add(squares, f64x2.sub(sum, sum));
  return f64x2.mul(f64x2.pmin(most, rest), share); // pmin: `rest < most ? rest : most`
}

// @ts-ignore: decorator
@inline function leftOne(squares: f64, sum: f64, share: f64): f64 {
  const rest = squares - sum * (sum * share), most = squares + (sum - sum);
  return (rest < most ? rest : most) * share;
}

// @ts-ignore: decorator
@inline function storeSpreads(at: usize, last: i32, a: v128, b: v128, c: v128, d: v128): void {
  if (last == 2) store8(at, f64x2.sqrt(a), f64x2.sqrt(b), f64x2.sqrt(c), f64x2.sqrt(d));
  else store8(at, a, b, c, d);
}

// @ts-ignore: decorator
@inline function storeSpread(at: usize, last: i32, spread: f64): void {
  store<f64>(at, last == 2 ? sqrt<f64>(spread) : spread);
}

// @ts-ignore: decorator
@inline function store8(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, a);
  v128.store(at, b, 16);
  v128.store(at, c, 32);
  v128.store(at, d, 48);
}
