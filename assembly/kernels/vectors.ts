// Loads: a vector or one sample of type T from any address, its byte order fused into the load.
// `be` is a constant wherever these are called, so its branches fold away.

/** The 16 bytes at `p` as samples of T; `be` says that they lie in big-endian order. */
// @ts-ignore: decorator
@inline export function vec<T>(p: usize, be: bool): v128 {
  return be ? swapped<T>(v128.load(p)) : v128.load(p);
}

/**
 * Every sample of T in `v` with its bytes reversed. `swizzle` and not `shuffle`: V8 knows that its constant is in range
 * and emits one byte shuffle, where it turns the shuffle into shifts and word shuffles (half the speed of a sum of f32).
 */
// @ts-ignore: decorator
@inline export function swapped<T>(v: v128): v128 {
  if (sizeof<T>() == 2) return i8x16.swizzle(v, i8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
  if (sizeof<T>() == 4) return i8x16.swizzle(v, i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  if (sizeof<T>() == 8) return i8x16.swizzle(v, i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  return v;
}

/**
 * A constant that loops use. V8 builds a vector constant anew wherever it is used (up to four instructions), so this one
 * is made to look as if it depended on `n`, a count that is never negative, and stays in its register.
 */
// @ts-ignore: decorator
@inline export function kept(constant: v128, n: i32): v128 {
  return v128.or(constant, i32x4.splat(n >> 31));
}

/** What `vecIn` swaps bytes with. */
// @ts-ignore: decorator
@inline export function orderOf<T>(n: i32): v128 {
  if (sizeof<T>() == 2) return kept(i8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14), n);
  if (sizeof<T>() == 4) return kept(i8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12), n);
  return kept(i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), n);
}

/** The 16 bytes at `p` as samples of T, swapped by `order` if they are big-endian. */
// @ts-ignore: decorator
@inline export function vecIn<T>(p: usize, be: bool, order: v128): v128 {
  return be && sizeof<T>() > 1 ? i8x16.swizzle(v128.load(p), order) : v128.load(p);
}

/** The sample of T at `p`. */
// @ts-ignore: decorator
@inline export function sample<T>(p: usize, be: bool): T {
  if (!be || sizeof<T>() == 1) return load<T>(p);
  if (isFloat<T>()) {
    if (sizeof<T>() == 4) return <T>reinterpret<f32>(bswap<u32>(load<u32>(p)));
    return <T>reinterpret<f64>(bswap<u64>(load<u64>(p)));
  }
  return bswap<T>(load<T>(p));
}

/** Samples 0 and 1 of a vector of 32-bit samples (or of f64) as f64. */
// @ts-ignore: decorator
@inline export function wideLow<T>(v: v128): v128 {
  if (isFloat<T>()) return sizeof<T>() == 8 ? v : f64x2.promote_low_f32x4(v);
  return isSigned<T>() ? f64x2.convert_low_i32x4_s(v) : f64x2.convert_low_i32x4_u(v);
}

/** Samples 2 and 3 of a vector of 32-bit samples as f64. */
// @ts-ignore: decorator
@inline export function wideHigh<T>(v: v128): v128 {
  return wideLow<T>(i64x2.shuffle(v, v, 1, 1));
}
