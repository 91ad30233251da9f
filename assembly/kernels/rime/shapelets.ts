// What pairs see of shapelets, for one vector of channels: two planes, of even and of odd orders. Both are real.
//
//   S = Σ c[j][k] i^(j + k) ψ_j(x) ψ_k(y) = even + i odd,   ψ_n(x) = H_n(x) exp(-x²/2) / sqrt(2^n n!),
//   x = f ν (a u + b v),   y = f ν (c u + d v),   f = 2 π / speed
//
// ψ by recurrence, which is stable at any x: ψ_{n+1} = sqrt(2 / (n + 1)) x ψ_n - sqrt(n / (n + 1)) ψ_{n-1}. A negative speed
// turns x and y around, and with them the sign of odd orders. All in f64; `work` holds the ψ of x, then those of y, of two channels.

import { exp } from "./exp";
import { pairOf } from "./planes";

/** `count` ψ at x, from order 0 on. */
// @ts-ignore: decorator
@inline function hermite(to: usize, x: v128, count: i32): void {
  let before = f64x2.splat(0), here = exp<f64>(f64x2.mul(f64x2.splat(-0.5), f64x2.mul(x, x)));
  for (let n = 0; n < count; n++, to += 16) {
    v128.store(to, here);
    const above = 1 / <f64>(n + 1);
    const first = f64x2.splat(sqrt<f64>(2 * above)), second = f64x2.splat(sqrt<f64>(<f64>n * above));
    const next = f64x2.sub(f64x2.mul(f64x2.mul(first, x), here), f64x2.mul(second, before));
    before = here;
    here = next;
  }
}

/** Adds up the orders of one parity, at two channels. */
// @ts-ignore: decorator
@inline function ordersOf(parity: i32, work: usize, coefficients: usize, nx: i32, ny: i32): v128 {
  const ys = work + (<usize>nx << 4);
  let sum = f64x2.splat(0);
  for (let j = 0; j < nx; j++) {
    let inner = f64x2.splat(0);
    for (let k = (j ^ parity) & 1; k < ny; k += 2) {
      const c = load<f64>(coefficients + (<usize>(j * ny + k) << 3));
      const turned = (j + k) & 2 ? -c : c; // i^n of even n is 1, -1, …; of odd n it is i, -i, …
      inner = f64x2.add(inner, f64x2.mul(f64x2.splat(turned), v128.load(ys + (<usize>k << 4))));
    }
    sum = f64x2.add(sum, f64x2.mul(v128.load(work + (<usize>j << 4)), inner));
  }
  return sum;
}

/** Two channels of one pair and source. */
// @ts-ignore: decorator
@inline function place<T>(even: usize, odd: usize, work: usize, coefficients: usize, nx: i32, ny: i32): void {
  const a = ordersOf(0, work, coefficients, nx, ny), b = ordersOf(1, work, coefficients, nx, ny);
  if (sizeof<T>() == 8) {
    v128.store(even, a);
    v128.store(odd, b);
  } else {
    v128.store64_lane(even, f32x4.demote_f64x2_zero(a), 0);
    v128.store64_lane(odd, f32x4.demote_f64x2_zero(b), 0);
  }
}

/** `pairs` as in `sums.ts`; baselines are uvw[p] - uvw[q], or uvw[p] with q = -1. Shapes are (a, b, c, d). */
// @ts-ignore: decorator
@inline export function rimeShapelets<T>(
  even: usize, odd: usize, shapes: usize, coefficients: usize, nx: i32, ny: i32, uvw: usize, pairs: usize, count: i32,
  frequency: usize, sources: i32, channels: i32, factor: f64, work: usize,
): void {
  for (let i = 0; i < count; i++, pairs += 12) {
    const p = uvw + <usize>load<i32>(pairs) * 24, second = load<i32>(pairs, 4);
    let u = load<f64>(p), v = load<f64>(p, 8);
    if (second >= 0) {
      const q = uvw + <usize>second * 24;
      u -= load<f64>(q);
      v -= load<f64>(q, 8);
    }
    for (let s = 0; s < sources; s++) {
      const shape = shapes + (<usize>s << 5);
      const x = factor * (u * load<f64>(shape) + v * load<f64>(shape, 8));
      const y = factor * (u * load<f64>(shape, 16) + v * load<f64>(shape, 24));
      const own = coefficients + (<usize>(s * nx * ny) << 3);
      for (let c = 0; c < 16 / sizeof<T>(); c += 2, even += 2 * sizeof<T>(), odd += 2 * sizeof<T>()) {
        const nu = pairOf(frequency + (<usize>c << 3), channels - c);
        hermite(work, f64x2.mul(f64x2.splat(x), nu), nx);
        hermite(work + (<usize>nx << 4), f64x2.mul(f64x2.splat(y), nu), ny);
        place<T>(even, odd, work, own, nx, ny);
      }
    }
  }
}
