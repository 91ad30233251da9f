// Few samples of any type as a vector of floats. No byte beyond the samples is read.

import { swapped, vec } from "./vectors";

/** The first 4 samples of T at `p` as i32 lanes; T of 1 or 2 bytes. */
// @ts-ignore: decorator
@inline function i32x4At<T>(p: usize, be: bool): v128 {
  if (sizeof<T>() == 1) {
    const v = v128.load32_zero(p);
    return isSigned<T>()
      ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v))
      : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v));
  }
  const raw = v128.load64_zero(p);
  const v = be ? swapped<T>(raw) : raw;
  return isSigned<T>() ? i32x4.extend_low_i16x8_s(v) : i32x4.extend_low_i16x8_u(v);
}

/** 4 samples of T at `p` as f32, rounded to nearest where f32 cannot hold them. */
// @ts-ignore: decorator
@inline export function f32x4At<T>(p: usize, be: bool): v128 {
  if (sizeof<T>() <= 2) return f32x4.convert_i32x4_s(i32x4At<T>(p, be));
  if (isFloat<T>()) {
    if (sizeof<T>() == 4) return vec<T>(p, be);
    const low = f32x4.demote_f64x2_zero(vec<T>(p, be)), high = f32x4.demote_f64x2_zero(vec<T>(p + 16, be));
    return i64x2.shuffle(low, high, 0, 2);
  }
  return isSigned<T>() ? f32x4.convert_i32x4_s(vec<T>(p, be)) : f32x4.convert_i32x4_u(vec<T>(p, be));
}

/** 2 samples of T at `p` as f64. */
// @ts-ignore: decorator
@inline export function f64x2At<T>(p: usize, be: bool): v128 {
  if (sizeof<T>() == 8) return vec<T>(p, be);
  if (sizeof<T>() == 4) {
    const raw = v128.load64_zero(p);
    const v = be ? swapped<T>(raw) : raw;
    if (isFloat<T>()) return f64x2.promote_low_f32x4(v);
    return isSigned<T>() ? f64x2.convert_low_i32x4_s(v) : f64x2.convert_low_i32x4_u(v);
  }
  if (sizeof<T>() == 2) {
    const raw = v128.load32_zero(p);
    const v = be ? swapped<T>(raw) : raw;
    return f64x2.convert_low_i32x4_s(isSigned<T>() ? i32x4.extend_low_i16x8_s(v) : i32x4.extend_low_i16x8_u(v));
  }
  const v = i16x8.splat(load<i16>(p));
  return f64x2.convert_low_i32x4_s(
    isSigned<T>()
      ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v))
      : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v)),
  );
}

/** 8 samples of T, of 1 or 2 bytes, as lanes of 16 bits. */
// @ts-ignore: decorator
@inline export function lanes16<T>(p: usize, be: bool): v128 {
  if (sizeof<T>() == 1) return isSigned<T>() ? v128.load8x8_s(p) : v128.load8x8_u(p);
  return vec<T>(p, be);
}
