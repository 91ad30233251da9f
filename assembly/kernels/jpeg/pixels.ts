// From rows of components to pixels: chroma of half the width or height is interpolated, 3 : 1 between the nearest two, and
// luminance and chroma become red, green and blue. All in 16 bits, which samples of 12 bits just fit: 16 × 4095 + 8.

import { kept } from "../vectors";

/** Eight samples as 16 bits. */
// @ts-ignore: decorator
@inline function eight<T>(p: usize): v128 {
  return sizeof<T>() == 1 ? v128.load8x8_u(p) : v128.load(p);
}

/** Stores eight pairs of samples. */
// @ts-ignore: decorator
@inline function storePairs<T>(p: usize, even: v128, odd: v128): void {
  if (sizeof<T>() == 1) v128.store(p, v128.or(even, i16x8.shl(odd, 8)));
  else {
    v128.store(p, i8x16.shuffle(even, odd, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23));
    v128.store(p, i8x16.shuffle(even, odd, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31), 16);
  }
}

// @ts-ignore: decorator
@inline function three(near: v128, far: v128): v128 {
  return i16x8.add(i16x8.add(near, near), i16x8.add(near, far));
}

// @ts-ignore: decorator
@inline function one<T>(p: usize): u32 {
  return <u32>load<T>(p);
}

/** Width and height are doubled: each new sample is 9 : 3 : 3 : 1 of the nearest four. */
// @ts-ignore: decorator
@inline export function jpegDouble<T>(dst: usize, near: usize, far: usize, n: i32): void {
  const last = n - 1, size = <i32>sizeof<T>(), eights = i16x8.splat(8), sevens = i16x8.splat(7);
  for (let i = 0; i < n;) {
    const at = near + i * size, beside = far + i * size, to = dst + 2 * i * size;
    if (i > 0 && i + 8 <= last) {
      const here = three(eight<T>(at), eight<T>(beside));
      const left = three(eight<T>(at - size), eight<T>(beside - size)), right = three(eight<T>(at + size), eight<T>(beside + size));
      const even = i16x8.shr_u(i16x8.add(three(here, left), eights), 4), odd = i16x8.shr_u(i16x8.add(three(here, right), sevens), 4);
      storePairs<T>(to, even, odd);
      i += 8;
      continue;
    }
    const here = 3 * one<T>(at) + one<T>(beside);
    const left = i == 0 ? here : 3 * one<T>(at - size) + one<T>(beside - size);
    const right = i == last ? here : 3 * one<T>(at + size) + one<T>(beside + size);
    store<T>(to, <T>(3 * here + left + 8 >> 4));
    store<T>(to + size, <T>(3 * here + right + 7 >> 4));
    i++;
  }
}

/** The width is doubled; the first and the last sample stay. */
// @ts-ignore: decorator
@inline export function jpegWiden<T>(dst: usize, src: usize, n: i32): void {
  const last = n - 1, size = <i32>sizeof<T>(), ones = i16x8.splat(1), twos = i16x8.splat(2);
  for (let i = 0; i < n;) {
    const at = src + i * size, to = dst + 2 * i * size;
    if (i > 0 && i + 8 <= last) {
      const here = eight<T>(at);
      const even = three(here, eight<T>(at - size)), odd = three(here, eight<T>(at + size));
      storePairs<T>(to, i16x8.shr_u(i16x8.add(even, ones), 2), i16x8.shr_u(i16x8.add(odd, twos), 2));
      i += 8;
      continue;
    }
    const here = one<T>(at);
    store<T>(to, <T>(i == 0 ? here : 3 * here + one<T>(at - size) + 1 >> 2));
    store<T>(to + size, <T>(i == last ? here : 3 * here + one<T>(at + size) + 2 >> 2));
    i++;
  }
}

/** The height is doubled: `(3 near + far + bias) / 4`. */
// @ts-ignore: decorator
@inline export function jpegBetween<T>(dst: usize, near: usize, far: usize, n: i32, bias: i32): void {
  const bytes = n * <i32>sizeof<T>(), add = i16x8.splat(<i16>bias);
  let at = 0;
  for (; at + 8 * <i32>sizeof<T>() <= bytes; at += 8 * sizeof<T>()) {
    const sum = i16x8.shr_u(i16x8.add(three(eight<T>(near + at), eight<T>(far + at)), add), 2);
    if (sizeof<T>() == 1) v128.store64_lane(dst + at, i8x16.narrow_i16x8_u(sum, sum), 0);
    else v128.store(dst + at, sum);
  }
  for (; at < bytes; at += sizeof<T>()) store<T>(dst + at, <T>(3 * one<T>(near + at) + one<T>(far + at) + bias >> 2));
}

// Factors of YCbCr, times 2¹⁶: 1.402 = 1 + RED, 1.772 = 2 - BLUE, 0.71414 = 1 - GREEN_RED, 0.34414 = GREEN_BLUE.
const RED: i16 = 26345, BLUE: i16 = 14942, GREEN_RED: i16 = 18734, GREEN_BLUE: i16 = 22554;

/** `factors` (of blue and red, in turn) times eight of blue and red, rounded, from 16 bits behind the point. */
// @ts-ignore: decorator
@inline function scaled(low: v128, high: v128, factors: v128, half: v128): v128 {
  const a = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, factors), half), 16);
  const b = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, factors), half), 16);
  return i16x8.narrow_i32x4_s(a, b);
}

/** Pixels of `n` samples of luminance, blue and red difference. */
// @ts-ignore: decorator
@inline export function jpegRgb<T>(dst: usize, luma: usize, blue: usize, red: usize, n: i32): void {
  const size = <i32>sizeof<T>(), middle = sizeof<T>() == 1 ? 128 : 2048, most = sizeof<T>() == 1 ? 255 : 4095;
  const centre = kept(i16x8.splat(<i16>middle), n), zero = i16x8.splat(0), top = kept(i16x8.splat(<i16>most), n), half = kept(i32x4.splat(32768), n);
  const toRed = kept(i16x8(0, RED, 0, RED, 0, RED, 0, RED), n), toBlue = kept(i16x8(-BLUE, 0, -BLUE, 0, -BLUE, 0, -BLUE, 0), n);
  const toGreen = kept(i16x8(-GREEN_BLUE, GREEN_RED, -GREEN_BLUE, GREEN_RED, -GREEN_BLUE, GREEN_RED, -GREEN_BLUE, GREEN_RED), n);
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const at = i * size, to = dst + 3 * at;
    const y = eight<T>(luma + at), cb = i16x8.sub(eight<T>(blue + at), centre), cr = i16x8.sub(eight<T>(red + at), centre);
    const low = i8x16.shuffle(cb, cr, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
    const high = i8x16.shuffle(cb, cr, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
    let r = i16x8.add(i16x8.add(y, cr), scaled(low, high, toRed, half));
    let g = i16x8.sub(y, cr);
    g = i16x8.add(g, scaled(low, high, toGreen, half));
    let b = i16x8.add(i16x8.add(y, cb), i16x8.add(cb, scaled(low, high, toBlue, half)));
    if (sizeof<T>() == 1) {
      const rg = i8x16.narrow_i16x8_u(r, g), bb = i8x16.narrow_i16x8_u(b, b);
      v128.store(to, i8x16.shuffle(rg, bb, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
      v128.store64_lane(to, i8x16.shuffle(rg, bb, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0), 0, 16);
    } else {
      r = i16x8.min_s(top, i16x8.max_s(zero, r));
      g = i16x8.min_s(top, i16x8.max_s(zero, g));
      b = i16x8.min_s(top, i16x8.max_s(zero, b));
      store3(to, r, g, b);
    }
  }
  for (; i < n; i++) {
    const at = i * size, to = dst + 3 * at;
    const y = <i32>one<T>(luma + at), cb = <i32>one<T>(blue + at) - middle, cr = <i32>one<T>(red + at) - middle;
    store<T>(to, <T>max(0, min(most, y + cr + (RED * cr + 32768 >> 16))));
    store<T>(to + size, <T>max(0, min(most, y - cr + (GREEN_RED * cr - GREEN_BLUE * cb + 32768 >> 16))));
    store<T>(to + 2 * size, <T>max(0, min(most, y + 2 * cb + (32768 - BLUE * cb >> 16))));
  }
}

/** Stores eight pixels of three samples of 16 bits. */
// @ts-ignore: decorator
@inline function store3(to: usize, r: v128, g: v128, b: v128): void {
  const low = i8x16.shuffle(r, g, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23); // r0 g0 r1 g1 …
  const high = i8x16.shuffle(r, g, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
  v128.store(to, i8x16.shuffle(low, b, 0, 1, 2, 3, 16, 17, 4, 5, 6, 7, 18, 19, 8, 9, 10, 11));
  const mid = i8x16.shuffle(low, high, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27); // r3 g3 r4 g4 r5 g5 r6 g6
  v128.store(to, i8x16.shuffle(mid, b, 20, 21, 0, 1, 2, 3, 22, 23, 4, 5, 6, 7, 24, 25, 8, 9), 16);
  v128.store(to, i8x16.shuffle(high, b, 6, 7, 26, 27, 8, 9, 10, 11, 28, 29, 12, 13, 14, 15, 30, 31), 32);
}

/** Pixels of `n` samples of three components as they are. */
// @ts-ignore: decorator
@inline export function jpegThree<T>(dst: usize, first: usize, second: usize, third: usize, n: i32): void {
  const size = <i32>sizeof<T>();
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const at = i * size, to = dst + 3 * at;
    if (sizeof<T>() == 1) {
      const rg = v128.load64_lane(second + at, v128.load64_zero(first + at), 1), bb = v128.load64_zero(third + at);
      v128.store(to, i8x16.shuffle(rg, bb, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
      v128.store64_lane(to, i8x16.shuffle(rg, bb, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0), 0, 16);
    } else store3(to, v128.load(first + at), v128.load(second + at), v128.load(third + at));
  }
  for (; i < n; i++) {
    const at = i * size, to = dst + 3 * at;
    store<T>(to, load<T>(first + at));
    store<T>(to + size, load<T>(second + at));
    store<T>(to + 2 * size, load<T>(third + at));
  }
}
