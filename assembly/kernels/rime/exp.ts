// exp and ln in vectors.
//
// exp(x) = 2^n exp(r), n = nearest(x / ln 2), r = x - n ln 2 in two steps; 1 + r + r^2 P(r), P interpolated at Chebyshev nodes:
// relative error 2e-17 (f64) and 2e-8 (f32), about one ulp as computed. Below the least normal number the result is 0.
// ln(x) = e ln 2 + 2 z + z^3 Q(z^2), z = (m - 1) / (m + 1), for x = 2^e m with m between sqrt(1/2) and sqrt(2).

const LN2_HIGH: f64 = 0.6931471803691238, LN2_LOW: f64 = 1.9082149292705877e-10;
const LN2_HIGH_F: f32 = 0.693145751953125, LN2_LOW_F: f32 = 1.428606765330187e-06;

/** exp(x) for x <= 0, or a little above; NaN stays NaN. */
// @ts-ignore: decorator
@inline export function exp<T>(x: v128): v128 {
  if (sizeof<T>() == 4) {
    const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.4426950408889634)));
    const r = f32x4.sub(f32x4.sub(x, f32x4.mul(n, f32x4.splat(LN2_HIGH_F))), f32x4.mul(n, f32x4.splat(LN2_LOW_F)));
    let p = f32x4.splat(0.0013926184037700295);
    p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.008363178931176662));
    p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.041666556149721146));
    p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.16666576266288757));
    p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5));
    p = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(r, r), p), r), f32x4.splat(1));
    const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
    return v128.andnot(f32x4.mul(p, power), f32x4.lt(x, f32x4.splat(-87)));
  }
  const n = f64x2.nearest(f64x2.mul(x, f64x2.splat(1.4426950408889634)));
  const r = f64x2.sub(f64x2.sub(x, f64x2.mul(n, f64x2.splat(LN2_HIGH))), f64x2.mul(n, f64x2.splat(LN2_LOW)));
  let p = f64x2.splat(2.510038549551032e-08);
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.7620088445409746e-07));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.7557268459997064e-06));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.4801521295954376e-05));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.00019841269863053618));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.0013888888917213717));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.008333333333330062));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.04166666666662413));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.16666666666666669));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.5));
  p = f64x2.add(f64x2.add(f64x2.mul(f64x2.mul(r, r), p), r), f64x2.splat(1));
  // n + 1.5 · 2^52 has n as the low bits of its fraction
  const power = i64x2.shl(i64x2.add(f64x2.add(n, f64x2.splat(6755399441055744)), i64x2.splat(1023)), 52);
  return v128.andnot(f64x2.mul(p, power), f64x2.lt(x, f64x2.splat(-708)));
}

/** The natural logarithm of a finite positive number that is not denormal. */
// @ts-ignore: decorator
@inline export function ln(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let e = <i32>(bits >> 52) - 1023;
  let m = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    e++;
  }
  const z = (m - 1) / (m + 1), y = z * z;
  let p: f64 = 0.14616878919029822;
  p = p * y + 0.15331686868638428;
  p = p * y + 0.1818289017031397;
  p = p * y + 0.22222211120449298;
  p = p * y + 0.2857142862606338;
  p = p * y + 0.3999999999989931;
  p = p * y + 0.666666666666667;
  return <f64>e * LN2_HIGH + (2 * z + (z * y * p + <f64>e * LN2_LOW));
}
