// spreads, join_spreads: means and variances of windows, dimension by dimension; excesses, join_excesses: their sums.
//
//   spreads:        base = data[i];  d[k] = data[i + k steps] − base;  rest = (Σ d[k]) share, with share = 1 / count
//                   spread = (Σ d[k]² − (Σ d[k]) (Σ d[k]) share) share
//   spread_steps:   delta = what stands at i + step, less that at i, as a mean (each = 1) or a sum of `each` samples
//   join_spreads:   base = bases[i];  d[0] = 0;  d[k + 1] = d[k] + deltas[i + k steps];  rest = rests[i] + (Σ d[k]) share
//                   spread = (Σ (parts[i + k steps] + d[k]²) − (Σ d[k]) (Σ d[k]) share) share    (Chan, Golub, LeVeque 1983)
//   excesses:       base = data[i];  rest = Σ (data[i + k steps] − base)
//   join_excesses:  base = bases[i];  d[k] as above;  rest = count rests[i] + Σ d[k]
//
// A mean is base + rest, and a sum count base + rest, where base is a sample, so that they keep all digits, however far samples are
// from 0. Squares are those of differences to a sample, or mean, of the window itself: as its own deviation is part of the
// variance, Σ d² is at most 1 + count times what is left of it. Equal samples have a variance of 0. Sums start at 0 and grow with
// k, so that a result depends on the samples of its window only.

// @ts-ignore: decorator
@inline export function spreads<T>(base: usize, rest: usize, spread: usize, data: usize, n: i32, step: usize, count: i32): void {
  const share = 1 / <f64>count, all = f64x2.splat(share);
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = data + at, end = p + <usize>count * step;
    const a0 = v128.load(p), b0 = v128.load(p, 16), c0 = v128.load(p, 32), d0 = v128.load(p, 48);
    let a = f64x2.sub(a0, a0), b = f64x2.sub(b0, b0), c = f64x2.sub(c0, c0), d = f64x2.sub(d0, d0); // NaN stays NaN
    let sa = a, sb = b, sc = c, sd = d;
    for (let q = p + step; q != end; q += step) {
      const da = f64x2.sub(v128.load(q), a0), db = f64x2.sub(v128.load(q, 16), b0);
      a = f64x2.add(a, da);
      b = f64x2.add(b, db);
      sa = f64x2.add(sa, f64x2.mul(da, da));
      sb = f64x2.add(sb, f64x2.mul(db, db));
      const dc = f64x2.sub(v128.load(q, 32), c0), dd = f64x2.sub(v128.load(q, 48), d0);
      c = f64x2.add(c, dc);
      d = f64x2.add(d, dd);
      sc = f64x2.add(sc, f64x2.mul(dc, dc));
      sd = f64x2.add(sd, f64x2.mul(dd, dd));
    }
    store8(base + at, a0, b0, c0, d0);
    store8(rest + at, f64x2.mul(a, all), f64x2.mul(b, all), f64x2.mul(c, all), f64x2.mul(d, all));
    store8(spread + at, variance(sa, a, all), variance(sb, b, all), variance(sc, c, all), variance(sd, d, all));
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = data + at, end = p + <usize>count * step, first = load<f64>(p);
    let sum = first - first, squares = sum;
    for (let q = p + step; q != end; q += step) {
      const d = load<f64>(q) - first;
      sum += d;
      squares += d * d;
    }
    store<f64>(base + at, first);
    store<f64>(rest + at, sum * share);
    store<f64>(spread + at, varianceOne(squares, sum, share));
  }
}

// @ts-ignore: decorator
@inline export function excesses<T>(base: usize, rest: usize, data: usize, n: i32, step: usize, count: i32): void {
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = data + at, end = p + <usize>count * step;
    const a0 = v128.load(p), b0 = v128.load(p, 16), c0 = v128.load(p, 32), d0 = v128.load(p, 48);
    let a = f64x2.sub(a0, a0), b = f64x2.sub(b0, b0), c = f64x2.sub(c0, c0), d = f64x2.sub(d0, d0);
    for (let q = p + step; q != end; q += step) {
      a = f64x2.add(a, f64x2.sub(v128.load(q), a0));
      b = f64x2.add(b, f64x2.sub(v128.load(q, 16), b0));
      c = f64x2.add(c, f64x2.sub(v128.load(q, 32), c0));
      d = f64x2.add(d, f64x2.sub(v128.load(q, 48), d0));
    }
    store8(base + at, a0, b0, c0, d0);
    store8(rest + at, a, b, c, d);
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = data + at, end = p + <usize>count * step, first = load<f64>(p);
    let sum = first - first;
    for (let q = p + step; q != end; q += step) sum += load<f64>(q) - first;
    store<f64>(base + at, first);
    store<f64>(rest + at, sum);
  }
}

// @ts-ignore: decorator
@inline export function spreadSteps<T>(out: usize, bases: usize, rests: usize, n: i32, step: usize, each: f64): void {
  const body = n & ~1, all = f64x2.splat(each);
  for (let x = 0; x < body; x += 2) {
    const at = <usize>x << 3, a = bases + at, b = rests + at;
    const far = f64x2.sub(v128.load(a + step), v128.load(a)), near = f64x2.sub(v128.load(b + step), v128.load(b));
    v128.store(out + at, f64x2.add(f64x2.mul(all, far), near));
  }
  if (body == n) return;
  const at = <usize>body << 3, a = bases + at, b = rests + at;
  store<f64>(out + at, each * (load<f64>(a + step) - load<f64>(a)) + (load<f64>(b + step) - load<f64>(b)));
}

// @ts-ignore: decorator
@inline export function joinSpreads<T>(
  base: usize, rest: usize, spread: usize, bases: usize, rests: usize, parts: usize, deltas: usize, n: i32, step: usize,
  count: i32, whole: i32,
): void {
  const share = 1 / <f64>count, all = f64x2.splat(share), one = f64x2.splat(1), others = parts - deltas;
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
    store8(spread + at, variance(sa, a, all), variance(sb, b, all), variance(sc, c, all), variance(sd, d, all));
    if (!whole) continue;
    joined(base + at, rest + at, bases + at, rests + at, one, f64x2.mul(a, all), f64x2.mul(b, all));
    joined(base + at + 32, rest + at + 32, bases + at + 32, rests + at + 32, one, f64x2.mul(c, all), f64x2.mul(d, all));
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = parts + at, end = p + <usize>count * step;
    let sum: f64 = 0, squares = load<f64>(p), d: f64 = 0;
    for (let q = p + step, r = q - others - step; q != end; q += step, r += step) {
      d += load<f64>(r);
      sum += d;
      squares += load<f64>(q) + d * d;
    }
    store<f64>(spread + at, varianceOne(squares, sum, share));
    if (!whole) continue;
    store<f64>(base + at, load<f64>(bases + at));
    store<f64>(rest + at, load<f64>(rests + at) + sum * share);
  }
}

// @ts-ignore: decorator
@inline export function joinExcesses<T>(
  base: usize, rest: usize, bases: usize, rests: usize, deltas: usize, n: i32, step: usize, count: i32,
): void {
  const all = f64x2.splat(<f64>count);
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = deltas + at, end = p + <usize>(count - 1) * step;
    let a = f64x2.splat(0), b = a, c = a, d = a, da = a, db = a, dc = a, dd = a;
    for (let q = p; q != end; q += step) {
      da = f64x2.add(da, v128.load(q));
      db = f64x2.add(db, v128.load(q, 16));
      dc = f64x2.add(dc, v128.load(q, 32));
      dd = f64x2.add(dd, v128.load(q, 48));
      a = f64x2.add(a, da);
      b = f64x2.add(b, db);
      c = f64x2.add(c, dc);
      d = f64x2.add(d, dd);
    }
    joined(base + at, rest + at, bases + at, rests + at, all, a, b);
    joined(base + at + 32, rest + at + 32, bases + at + 32, rests + at + 32, all, c, d);
  }
  for (; x < n; x++) {
    const at = <usize>x << 3, p = deltas + at, end = p + <usize>(count - 1) * step;
    let sum: f64 = 0, d: f64 = 0;
    for (let q = p; q != end; q += step) {
      d += load<f64>(q);
      sum += d;
    }
    store<f64>(base + at, load<f64>(bases + at));
    store<f64>(rest + at, <f64>count * load<f64>(rests + at) + sum);
  }
}

/** The variance of numbers, each a `share` of them; squares that are infinite stay so, unless the sum is not finite either. */
// @ts-ignore: decorator
@inline function variance(squares: v128, sum: v128, share: v128): v128 {
  const left = f64x2.sub(squares, f64x2.mul(sum, f64x2.mul(sum, share)));
  return f64x2.mul(v128.bitselect(left, f64x2.add(squares, f64x2.sub(sum, sum)), f64x2.eq(left, left)), share);
}

// @ts-ignore: decorator
@inline function varianceOne(squares: f64, sum: f64, share: f64): f64 {
  const left = squares - sum * (sum * share);
  return (left == left ? left : squares + (sum - sum)) * share;
}

/** Of four windows what stands beside the base of the first part: `times` its rest, and `a` and `b`. */
// @ts-ignore: decorator
@inline function joined(base: usize, rest: usize, bases: usize, rests: usize, times: v128, a: v128, b: v128): void {
  v128.store(base, v128.load(bases));
  v128.store(base, v128.load(bases, 16), 16);
  v128.store(rest, f64x2.add(f64x2.mul(times, v128.load(rests)), a));
  v128.store(rest, f64x2.add(f64x2.mul(times, v128.load(rests, 16)), b), 16);
}

// @ts-ignore: decorator
@inline function store8(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, a);
  v128.store(at, b, 16);
  v128.store(at, c, 32);
  v128.store(at, d, 48);
}
