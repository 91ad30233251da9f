// log_scale: x = log(x - least + 1) for n samples of f32, none of which is below `least`.

// @ts-ignore: decorator
@inline export function logScale<T>(data: usize, n: i32, least: f64): void {
  const low = f32x4.splat(<f32>least), one = f32x4.splat(1);
  let i = 0;
  for (; i + 4 <= n; i += 4, data += 16) v128.store(data, logOf(f32x4.add(f32x4.sub(v128.load(data), low), one)));
  for (; i < n; i++, data += 4) {
    v128.store32_lane(data, logOf(f32x4.add(f32x4.sub(v128.load32_splat(data), low), one)), 0);
  }
}

const LN_2: f32 = 0.6931471805599453;

/**
 * The logarithm of normal numbers from 1: x = 2^k m with m in [1/sqrt 2, sqrt 2) and log m = 2 artanh s,
 * s = (m - 1) / (m + 1), as a series: |s| < 0.172, so that what follows s^9 / 9 is below the last bit.
 */
// @ts-ignore: decorator
@inline export function logOf(x: v128): v128 {
  const moved = i32x4.sub(x, i32x4.splat(0x3f3504f3)); // the bits of sqrt(1/2)
  const k = f32x4.convert_i32x4_s(i32x4.shr_s(moved, 23));
  const m = i32x4.add(v128.and(moved, i32x4.splat(0x007fffff)), i32x4.splat(0x3f3504f3));
  const one = f32x4.splat(1), s = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one)), z = f32x4.mul(s, s);
  let series = f32x4.add(f32x4.mul(z, f32x4.splat(1.0 / 9.0)), f32x4.splat(1.0 / 7.0));
  series = f32x4.add(f32x4.mul(z, series), f32x4.splat(1.0 / 5.0));
  series = f32x4.add(f32x4.mul(z, series), f32x4.splat(1.0 / 3.0));
  series = f32x4.mul(f32x4.mul(z, series), s);
  const rest = f32x4.add(series, s);
  return f32x4.add(f32x4.mul(k, f32x4.splat(LN_2)), f32x4.add(rest, rest));
}
