// swap: bytes of each sample in reverse. convert_f32, convert_f64: samples of any type as floats, rounded to nearest.
// add: dst[i] += src[i].

import { kept, orderOf, sample, vecIn } from "./vectors";
import { f32x4In, f64x2In } from "./widen";

// @ts-ignore: decorator
@inline export function swap<T>(dst: usize, src: usize, n: i32): void {
  const bytes = <usize>n * sizeof<T>();
  const order = orderOf<T>(n);
  let at: usize = 0;
  for (; at + 64 <= bytes; at += 64) {
    const a = vecIn<T>(src + at, true, order), b = vecIn<T>(src + at + 16, true, order);
    const c = vecIn<T>(src + at + 32, true, order), d = vecIn<T>(src + at + 48, true, order);
    v128.store(dst + at, a); v128.store(dst + at, b, 16); v128.store(dst + at, c, 32); v128.store(dst + at, d, 48);
  }
  for (; at + 16 <= bytes; at += 16) v128.store(dst + at, vecIn<T>(src + at, true, order));
  for (; at < bytes; at += sizeof<T>()) store<T>(dst + at, bswap<T>(load<T>(src + at)));
}

// @ts-ignore: decorator
@inline export function convertF32<T>(dst: usize, src: usize, n: i32, be: bool): void {
  if (isInteger<T>() && sizeof<T>() == 8) { // one by one, as WebAssembly has no vector conversion of them; through f64 they would be rounded twice
    for (let i = 0; i < n; i++) store<f32>(dst + (<usize>i << 2), <f32>sample<T>(src + (<usize>i << 3), be));
    return;
  }
  const body = n & ~3, order = orderOf<T>(n);
  for (let i = 0; i < body; i += 4) v128.store(dst + (<usize>i << 2), f32x4In<T>(src + <usize>i * sizeof<T>(), be, order));
  for (let i = body; i < n; i++) store<f32>(dst + (<usize>i << 2), <f32>sample<T>(src + <usize>i * sizeof<T>(), be));
}

// @ts-ignore: decorator
@inline export function convertF64<T>(dst: usize, src: usize, n: i32, be: bool): void {
  if (isInteger<T>() && sizeof<T>() == 8) {
    for (let i = 0; i < n; i++) store<f64>(dst + (<usize>i << 3), <f64>sample<T>(src + (<usize>i << 3), be));
    return;
  }
  const body = n & ~1, order = orderOf<T>(n);
  for (let i = 0; i < body; i += 2) v128.store(dst + (<usize>i << 3), f64x2In<T>(src + <usize>i * sizeof<T>(), be, order));
  for (let i = body; i < n; i++) store<f64>(dst + (<usize>i << 3), <f64>sample<T>(src + <usize>i * sizeof<T>(), be));
}

// lower_f32: samples less a number, in f64, then rounded to f32: f32 has no room for a large offset.
// @ts-ignore: decorator
@inline export function lowerF32<T>(dst: usize, src: usize, n: i32, least: f64, be: bool): void {
  for (let i = 0; i < n; i++) store<f32>(dst + (<usize>i << 2), <f32>(<f64>sample<T>(src + <usize>i * sizeof<T>(), be) - least));
}

// Halves: sign, 5 bits of exponent, 10 of mantissa. Moved to where f32 has them, the exponent is too small by 112, which
// a multiplication by 2^112 puts right, also for subnormal halves; what was infinite or NaN gets the largest exponent.
export function halfF32(dst: usize, src: usize, n: i32): void { halves<f32>(dst, src, n, false); }
export function halfF32be(dst: usize, src: usize, n: i32): void { halves<f32>(dst, src, n, true); }
export function halfF64(dst: usize, src: usize, n: i32): void { halves<f64>(dst, src, n, false); }
export function halfF64be(dst: usize, src: usize, n: i32): void { halves<f64>(dst, src, n, true); }

// @ts-ignore: decorator
@inline function halves<D>(dst: usize, src: usize, n: i32, be: bool): void {
  const body = n & ~7, order = orderOf<u16>(n), mask = kept(i32x4.splat(0x7fff), n);
  const bias = kept(i32x4.splat(0x38000000), n), most = kept(i32x4.splat(0x7f800000), n), unit = kept(i32x4.splat(0x33800000), n);
  const least = kept(i32x4.splat(0x03ff), n), last = kept(i32x4.splat(0x7bff), n);
  for (let i = 0; i < body; i += 8) {
    const v = vecIn<u16>(src + (<usize>i << 1), be, order), to = dst + <usize>i * sizeof<D>();
    fourHalves<D>(to, i32x4.extend_low_i16x8_u(v), mask, bias, most, unit, least, last);
    fourHalves<D>(to + 4 * sizeof<D>(), i32x4.extend_high_i16x8_u(v), mask, bias, most, unit, least, last);
  }
  for (let i = body; i < n; i++) {
    const raw = load<u16>(src + (<usize>i << 1));
    const half = <u32>(be ? bswap<u16>(raw) : raw);
    let bits = (half & 0x7fff) << 13;
    if (bits >= 0x0f800000) bits |= 0x7f800000;
    else bits = reinterpret<u32>(reinterpret<f32>(bits) * reinterpret<f32>(<u32>0x77800000));
    store<D>(dst + <usize>i * sizeof<D>(), <D>reinterpret<f32>(bits | ((half & 0x8000) << 16)));
  }
}

/** Four halves in lanes of 32 bits; subnormal ones as whole numbers, as processors are slow with subnormal floats. */
// @ts-ignore: decorator
@inline function fourHalves<D>(dst: usize, half: v128, mask: v128, bias: v128, most: v128, unit: v128, least: v128, last: v128): void {
  const size = v128.and(half, mask), bits = i32x4.shl(size, 13), sign = i32x4.shl(v128.xor(half, size), 16);
  const small = f32x4.mul(f32x4.convert_i32x4_s(size), unit); // of subnormal halves: times 2^-24
  const large = v128.bitselect(v128.or(bits, most), i32x4.add(bits, bias), i32x4.gt_s(size, last));
  const v = v128.or(v128.bitselect(large, small, i32x4.gt_s(size, least)), sign);
  if (sizeof<D>() == 4) { v128.store(dst, v); return; }
  v128.store(dst, f64x2.promote_low_f32x4(v));
  v128.store(dst, f64x2.promote_low_f32x4(i64x2.shuffle(v, v, 1, 1)), 16);
}

// @ts-ignore: decorator
@inline export function add<T>(dst: usize, src: usize, n: i32): void {
  const end = dst + <usize>n * sizeof<T>(), body = dst + ((<usize>n * sizeof<T>()) & ~15);
  for (; dst < body; dst += 16, src += 16) v128.store(dst, v128.add<T>(v128.load(dst), v128.load(src)));
  for (; dst < end; dst += sizeof<T>(), src += sizeof<T>()) store<T>(dst, load<T>(dst) + load<T>(src));
}
