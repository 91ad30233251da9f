// log_sum: acc[p] += ln(x[p] - m + 1), m being the smallest sample of the frame.
//
// The logarithm in f64: y = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); with s = f / (2 + f) and z = s^2
//   ln(1 + f) = f - (f^2/2 - s (f^2/2 + R(z))),   R a polynomial of degree 7 in z   (the scheme of fdlibm)
// below 1 ulp. Arguments are 1 or more, infinite, or NaN: no subnormal numbers, no zero, no negative ones.

import { lowest } from "./extremes";
import { orderOf, sample } from "./vectors";
import { f64x2In } from "./widen";

const LN2_HIGH: f64 = 6.93147180369123816490e-01;
const LN2_LOW: f64 = 1.90821492927058770002e-10;
const R1: f64 = 6.666666666666735130e-01;
const R2: f64 = 3.999999999940941908e-01;
const R3: f64 = 2.857142874366239149e-01;
const R4: f64 = 2.222219843214978396e-01;
const R5: f64 = 1.818357216161805012e-01;
const R6: f64 = 1.531383769920937332e-01;
const R7: f64 = 1.479819860511658591e-01;

// @ts-ignore: decorator
@inline export function logSum<T>(acc: usize, data: usize, pixels: i32, be: bool): void {
  const least = smallest<T>(data, pixels, be);
  const m = f64x2.splat(least), one = f64x2.splat(1), order = orderOf<T>(pixels);
  const body = pixels & ~1;
  for (let p = 0; p < body; p += 2) {
    const y = f64x2.add(f64x2.sub(f64x2In<T>(data + <usize>p * sizeof<T>(), be, order), m), one);
    const at = acc + (<usize>p << 3);
    v128.store(at, f64x2.add(v128.load(at), ln(y)));
  }
  if (body < pixels) {
    const y = <f64>sample<T>(data + <usize>body * sizeof<T>(), be) - least + 1;
    const at = acc + (<usize>body << 3);
    store<f64>(at, load<f64>(at) + f64x2.extract_lane(ln(f64x2.splat(y)), 0));
  }
}

/** The smallest sample; NaN does not count. Infinite when there is none. */
// @ts-ignore: decorator
@inline function smallest<T>(data: usize, pixels: i32, be: bool): f64 {
  if (isInteger<T>()) return pixels > 0 ? <f64>lowest<T>(data, pixels, be) : Infinity;
  const body = pixels & ~1, order = orderOf<T>(pixels);
  let least = f64x2.splat(Infinity);
  for (let p = 0; p < body; p += 2) least = f64x2.pmin(least, f64x2In<T>(data + <usize>p * sizeof<T>(), be, order));
  let all = f64x2.extract_lane(least, 0);
  const other = f64x2.extract_lane(least, 1);
  if (other < all) all = other;
  if (body < pixels) {
    const last = <f64>sample<T>(data + <usize>body * sizeof<T>(), be);
    if (last < all) all = last;
  }
  return all;
}

// @ts-ignore: decorator
@inline function ln(y: v128): v128 {
  const offset = i64x2.sub(y, i64x2.splat(0x3fe6a09e667f3bcd));
  const exponent = i64x2.shr_s(offset, 52);
  const f = f64x2.sub(i64x2.sub(y, i64x2.shl(exponent, 52)), f64x2.splat(1));
  const k = f64x2.convert_low_i32x4_s(i32x4.shuffle(exponent, exponent, 0, 2, 0, 2));
  const half = f64x2.mul(f64x2.splat(0.5), f64x2.mul(f, f));
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s), w = f64x2.mul(z, z);
  const even = f64x2.mul(w, step(R2, w, step(R4, w, f64x2.splat(R6))));
  const odd = f64x2.mul(z, step(R1, w, step(R3, w, step(R5, w, f64x2.splat(R7)))));
  const tail = f64x2.add(f64x2.mul(s, f64x2.add(half, f64x2.add(odd, even))), f64x2.mul(k, f64x2.splat(LN2_LOW)));
  const value = f64x2.sub(f64x2.mul(k, f64x2.splat(LN2_HIGH)), f64x2.sub(f64x2.sub(half, tail), f));
  return v128.bitselect(value, y, f64x2.lt(y, f64x2.splat(Infinity))); // infinity and NaN are their own logarithm
}

/** c + w * rest: one step of a polynomial. */
// @ts-ignore: decorator
@inline function step(c: f64, w: v128, rest: v128): v128 {
  return f64x2.add(f64x2.splat(c), f64x2.mul(w, rest));
}
