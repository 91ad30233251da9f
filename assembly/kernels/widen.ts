// Few samples of any type as a vector of floats. No byte beyond the samples is read. `order` is `orderOf<T>()`, which a
// loop keeps in a register; f32x4At and f64x2At are for where there is no loop, or no other byte order.

import { orderOf, vecIn } from "./vectors";

/** The first 4 samples of T at `p` as i32 lanes; T of 1 or 2 bytes. */
// @ts-ignore: decorator
@inline export function i32x4In<T>(p: usize, be: bool, order: v128): v128 {
  if (sizeof<T>() == 1) {
    const v = v128.load32_zero(p);
    return isSigned<T>()
      ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v))
      : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v));
  }
  if (!be) return isSigned<T>() ? v128.load16x4_s(p) : v128.load16x4_u(p);
  const v = i8x16.swizzle(v128.load64_zero(p), order);
  return isSigned<T>() ? i32x4.extend_low_i16x8_s(v) : i32x4.extend_low_i16x8_u(v);
}

/** 4 samples of T at `p` as f32, rounded to nearest where f32 cannot hold them. */
// @ts-ignore: decorator
@inline export function f32x4In<T>(p: usize, be: bool, order: v128): v128 {
  if (sizeof<T>() <= 2) return f32x4.convert_i32x4_s(i32x4In<T>(p, be, order));
  if (isFloat<T>()) {
    if (sizeof<T>() == 4) return vecIn<T>(p, be, order);
    const low = f32x4.demote_f64x2_zero(vecIn<T>(p, be, order)), high = f32x4.demote_f64x2_zero(vecIn<T>(p + 16, be, order));
    return i64x2.shuffle(low, high, 0, 2);
  }
  return isSigned<T>() ? f32x4.convert_i32x4_s(vecIn<T>(p, be, order)) : f32x4.convert_i32x4_u(vecIn<T>(p, be, order));
}

/** 2 samples of T at `p` as f64. */
// @ts-ignore: decorator
@inline export function f64x2In<T>(p: usize, be: bool, order: v128): v128 {
  if (sizeof<T>() == 8) return vecIn<T>(p, be, order);
  if (sizeof<T>() == 4) {
    const raw = v128.load64_zero(p), v = be ? i8x16.swizzle(raw, order) : raw;
    if (isFloat<T>()) return f64x2.promote_low_f32x4(v);
    return isSigned<T>() ? f64x2.convert_low_i32x4_s(v) : f64x2.convert_low_i32x4_u(v);
  }
  if (sizeof<T>() == 2) {
    const raw = v128.load32_zero(p), v = be ? i8x16.swizzle(raw, order) : raw;
    return f64x2.convert_low_i32x4_s(isSigned<T>() ? i32x4.extend_low_i16x8_s(v) : i32x4.extend_low_i16x8_u(v));
  }
  const v = i16x8.splat(load<i16>(p));
  return f64x2.convert_low_i32x4_s(
    isSigned<T>()
      ? i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v))
      : i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v)),
  );
}

// @ts-ignore: decorator
@inline export function f32x4At<T>(p: usize, be: bool): v128 {
  return f32x4In<T>(p, be, orderOf<T>(0));
}

// @ts-ignore: decorator
@inline export function f64x2At<T>(p: usize, be: bool): v128 {
  return f64x2In<T>(p, be, orderOf<T>(0));
}
