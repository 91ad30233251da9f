// What extended sources lose on long baselines, for one vector of channels: out[i][s], 1 at the baseline 0.
//
// shape 1, Gaussian, (lproj, mproj, ratio): exp(-(a^2 + b^2)), a = (u mproj - v lproj) ratio k, b = (u lproj + v mproj) k,
// k = scale ν / c. Shape 2, exponential disk, (e1, e2, s): (1 + a^2 + b^2)^(-3/2), a = (u (1 + e1) + v e2) k,
// b = (u e2 + v (1 - e1)) k, k = scale s / (1 - e1^2 - e2^2) ν / c. `factor` is scale / c.

import { exp } from "./exp";
import { lanes, pairOf } from "./planes";

/** (a^2 + b^2) / ν^2 of one source and baseline. */
// @ts-ignore: decorator
@inline function squareOf(shape: i32, at: usize, u: f64, v: f64, factor: f64): f64 {
  const x = load<f64>(at), y = load<f64>(at, 8), z = load<f64>(at, 16);
  if (shape == 1) {
    const a = (u * y - v * x) * z * factor, b = (u * x + v * y) * factor;
    return a * a + b * b;
  }
  const k = factor * z / (1 - x * x - y * y);
  const a = (u * (1 + x) + v * y) * k, b = (u * y + v * (1 - x)) * k;
  return a * a + b * b;
}

/** `pairs` as in `sums.ts`; baselines are uvw[p] - uvw[q], or uvw[p] with q = -1. */
// @ts-ignore: decorator
@inline export function rimeTapers<T>(
  out: usize, shape: i32, shapes: usize, uvw: usize, pairs: usize, count: i32, frequency: usize, sources: i32,
  channels: i32, factor: f64,
): void {
  const low = pairOf(frequency, channels), high = pairOf(frequency + 16, channels - 2);
  const low2 = f64x2.mul(low, low), high2 = f64x2.mul(high, high);
  for (let i = 0; i < count; i++, pairs += 12) {
    const p = uvw + <usize>load<i32>(pairs) * 24, second = load<i32>(pairs, 4);
    let u = load<f64>(p), v = load<f64>(p, 8);
    if (second >= 0) {
      const q = uvw + <usize>second * 24;
      u -= load<f64>(q);
      v -= load<f64>(q, 8);
    }
    for (let s = 0, at = shapes; s < sources; s++, at += 24, out += 16) {
      const square = f64x2.splat(squareOf(shape, at, u, v, factor));
      v128.store(out, taperOf<T>(shape, f64x2.mul(square, low2), f64x2.mul(square, high2)));
    }
  }
}

// @ts-ignore: decorator
@inline function taperOf<T>(shape: i32, low: v128, high: v128): v128 {
  let x = low;
  if (sizeof<T>() == 4) x = i64x2.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
  if (shape == 1) return exp<T>(v128.neg<T>(x));
  const one = v128.splat<T>(1), d = v128.add<T>(one, x);
  return v128.div<T>(one, v128.mul<T>(d, v128.sqrt<T>(d)));
}
