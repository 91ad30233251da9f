// spreads, join_spreads: means of windows, and sums of squares of deviations from them, dimension by dimension.
//
//   spreads:       base = data[i];  d[k] = data[i + k steps] − base;  rest = (Σ d[k]) / count;  spread = Σ (d[k] − rest)²
//   join_spreads:  the same of d[k] = (bases[i + k steps] − base) + rests[i + k steps], the means of `each` samples, less base;
//                  spread = (Σ parts[i + k steps]) + each (Σ (d[k] − rest)²)      (Chan, Golub, LeVeque 1983)
//
// A mean is base + rest, where base is a sample: nothing cancels, however far the samples are from 0, and equal samples have a
// spread of 0. Sums start at 0 and grow with k, so that a result depends on the samples of its window only.

import { f64x2At } from "../widen";

// @ts-ignore: decorator
@inline export function spreads<T>(base: usize, rest: usize, spread: usize, data: usize, n: i32, step: usize, count: i32): void {
  const all = f64x2.splat(<f64>count);
  let x = 0;
  for (; x + 4 <= n; x += 4) {
    const p = data + <usize>x * sizeof<T>(), end = p + <usize>count * step, two = 2 * sizeof<T>();
    const a0 = f64x2At<T>(p, false), b0 = f64x2At<T>(p + two, false);
    let a = f64x2.splat(0), b = a;
    for (let q = p; q != end; q += step) {
      a = f64x2.add(a, f64x2.sub(f64x2At<T>(q, false), a0));
      b = f64x2.add(b, f64x2.sub(f64x2At<T>(q + two, false), b0));
    }
    a = f64x2.div(a, all);
    b = f64x2.div(b, all);
    let sa = f64x2.splat(0), sb = sa;
    for (let q = p; q != end; q += step) {
      const da = f64x2.sub(f64x2.sub(f64x2At<T>(q, false), a0), a), db = f64x2.sub(f64x2.sub(f64x2At<T>(q + two, false), b0), b);
      sa = f64x2.add(sa, f64x2.mul(da, da));
      sb = f64x2.add(sb, f64x2.mul(db, db));
    }
    store4(base + (<usize>x << 3), a0, b0);
    store4(rest + (<usize>x << 3), a, b);
    store4(spread + (<usize>x << 3), sa, sb);
  }
  for (; x < n; x++) {
    const p = data + <usize>x * sizeof<T>(), end = p + <usize>count * step, first = <f64>load<T>(p);
    let a: f64 = 0, s: f64 = 0;
    for (let q = p; q != end; q += step) a += <f64>load<T>(q) - first;
    a /= <f64>count;
    for (let q = p; q != end; q += step) {
      const d = <f64>load<T>(q) - first - a;
      s += d * d;
    }
    store<f64>(base + (<usize>x << 3), first);
    store<f64>(rest + (<usize>x << 3), a);
    store<f64>(spread + (<usize>x << 3), s);
  }
}

// @ts-ignore: decorator
@inline export function joinSpreads<T>(
  base: usize, rest: usize, spread: usize, bases: usize, rests: usize, parts: usize, n: i32, step: usize, count: i32, each: f64,
): void {
  const all = f64x2.splat(<f64>count), weight = f64x2.splat(each), others = rests - bases, spans = parts - bases;
  let x = 0;
  for (; x + 4 <= n; x += 4) {
    const p = bases + (<usize>x << 3), end = p + <usize>count * step;
    const a0 = v128.load(p), b0 = v128.load(p, 16);
    let a = f64x2.splat(0), b = a, sa = a, sb = a;
    for (let q = p; q != end; q += step) {
      a = f64x2.add(a, f64x2.add(f64x2.sub(v128.load(q), a0), v128.load(q + others)));
      b = f64x2.add(b, f64x2.add(f64x2.sub(v128.load(q, 16), b0), v128.load(q + others, 16)));
      sa = f64x2.add(sa, v128.load(q + spans));
      sb = f64x2.add(sb, v128.load(q + spans, 16));
    }
    a = f64x2.div(a, all);
    b = f64x2.div(b, all);
    let ta = f64x2.splat(0), tb = ta;
    for (let q = p; q != end; q += step) {
      const da = f64x2.sub(f64x2.add(f64x2.sub(v128.load(q), a0), v128.load(q + others)), a);
      const db = f64x2.sub(f64x2.add(f64x2.sub(v128.load(q, 16), b0), v128.load(q + others, 16)), b);
      ta = f64x2.add(ta, f64x2.mul(da, da));
      tb = f64x2.add(tb, f64x2.mul(db, db));
    }
    store4(base + (<usize>x << 3), a0, b0);
    store4(rest + (<usize>x << 3), a, b);
    store4(spread + (<usize>x << 3), f64x2.add(sa, f64x2.mul(weight, ta)), f64x2.add(sb, f64x2.mul(weight, tb)));
  }
  for (; x < n; x++) {
    const p = bases + (<usize>x << 3), end = p + <usize>count * step, first = load<f64>(p);
    let a: f64 = 0, s: f64 = 0, t: f64 = 0;
    for (let q = p; q != end; q += step) {
      a += load<f64>(q) - first + load<f64>(q + others);
      s += load<f64>(q + spans);
    }
    a /= <f64>count;
    for (let q = p; q != end; q += step) {
      const d = load<f64>(q) - first + load<f64>(q + others) - a;
      t += d * d;
    }
    store<f64>(base + (<usize>x << 3), first);
    store<f64>(rest + (<usize>x << 3), a);
    store<f64>(spread + (<usize>x << 3), s + each * t);
  }
}

// @ts-ignore: decorator
@inline function store4(at: usize, a: v128, b: v128): void {
  v128.store(at, a);
  v128.store(at, b, 16);
}
