// sum_frames: acc[p] += sum over f of data[f][p], the sum image of a tile.
//
//   for every pixel p: for every frame f: acc[p] += data[f][p]
//
// One cache line (64 bytes) of every frame of a pass is summed in registers before acc is touched. A pass has at
// most PASS frames (one page of the TLB each); pixels go in blocks of one page, so that acc stays in the L1 cache
// when there are several passes.
//
// 8- and 16-bit integers: lanes of 16 bits hold two counters, A = sum of v and H = sum of v >> 8, both modulo 2^16.
// The sum of the low bytes is A - 256 H, exactly, while it is below 2^16: up to 257 frames. That is three
// operations a vector; widening every sample to 32 bits takes four. Bytes in the wrong order change nothing but
// which of the two counters has the greater weight, so big-endian samples are free.
//
// Wider integers and floats: one f64 lane a pixel, frame after frame.

import { orderOf, sample, vec, vecIn, wideHigh, wideLow } from "./vectors";

const PASS: i32 = 32;
const BLOCK: usize = 4096;

// @ts-ignore: decorator
@inline export function sumFrames<T>(acc: usize, data: usize, frames: i32, stride: usize, pixels: i32, be: bool): void {
  const bytes = <usize>pixels * sizeof<T>();
  for (let from: usize = 0; from < bytes; from += BLOCK) {
    const to = min(from + BLOCK, bytes);
    for (let first = 0; first < frames; first += PASS) {
      const count = min(frames - first, PASS);
      const base = data + <usize>first * stride;
      sumBlock<T>(acc, base, count, stride, from, to, be);
    }
  }
}

// @ts-ignore: decorator
@inline function sumBlock<T>(acc: usize, data: usize, frames: i32, stride: usize, from: usize, to: usize, be: bool): void {
  const perByte: usize = sizeof<f64>() / sizeof<T>();
  let at = from;
  if (sizeof<T>() <= 2) {
    for (; at + 64 <= to; at += 64) bytesLine<T>(acc + at * perByte, data + at, frames, stride, be);
    for (; at + 16 <= to; at += 16) bytesVector<T>(acc + at * perByte, data + at, frames, stride, be);
  } else {
    for (; at + 64 <= to; at += 64) wideLine<T>(acc + at * perByte, data + at, frames, stride, be);
    for (; at + 16 <= to; at += 16) wideVector<T>(acc + at * perByte, data + at, frames, stride, be);
  }
  for (; at < to; at += sizeof<T>()) onePixel<T>(acc + at * perByte, data + at, frames, stride, be);
}

// @ts-ignore: decorator
@inline function onePixel<T>(acc: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  let sum = load<f64>(acc);
  for (let f = 0; f < frames; f++, p += stride) sum += <f64>sample<T>(p, be);
  store<f64>(acc, sum);
}

// ---- 8 and 16 bits ----

/** The sign moved out of the way where the shift cannot carry it: samples become unsigned. */
// @ts-ignore: decorator
@inline function biased<T>(v: v128, be: bool): v128 {
  if (!isSigned<T>()) return v;
  if (sizeof<T>() == 1) return v128.xor(v, i8x16.splat(-128));
  return be ? v128.xor(v, i16x8.splat(0x0080)) : v;
}

// @ts-ignore: decorator
@inline function high<T>(v: v128, be: bool): v128 {
  return isSigned<T>() && sizeof<T>() == 2 && !be ? i16x8.shr_s(v, 8) : i16x8.shr_u(v, 8);
}

// @ts-ignore: decorator
@inline function bytesLine<T>(acc: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  let a0 = i16x8.splat(0), a1 = a0, a2 = a0, a3 = a0;
  let h0 = a0, h1 = a0, h2 = a0, h3 = a0;
  for (let f = frames; f > 0; f--, p += stride) {
    const v0 = biased<T>(v128.load(p), be), v1 = biased<T>(v128.load(p, 16), be);
    const v2 = biased<T>(v128.load(p, 32), be), v3 = biased<T>(v128.load(p, 48), be);
    a0 = i16x8.add(a0, v0); h0 = i16x8.add(h0, high<T>(v0, be));
    a1 = i16x8.add(a1, v1); h1 = i16x8.add(h1, high<T>(v1, be));
    a2 = i16x8.add(a2, v2); h2 = i16x8.add(h2, high<T>(v2, be));
    a3 = i16x8.add(a3, v3); h3 = i16x8.add(h3, high<T>(v3, be));
  }
  const step: usize = 16 / sizeof<T>() * sizeof<f64>();
  addBytes<T>(acc, a0, h0, frames, be);
  addBytes<T>(acc + step, a1, h1, frames, be);
  addBytes<T>(acc + 2 * step, a2, h2, frames, be);
  addBytes<T>(acc + 3 * step, a3, h3, frames, be);
}

// @ts-ignore: decorator
@inline function bytesVector<T>(acc: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  let a = i16x8.splat(0), h = a;
  for (let f = frames; f > 0; f--, p += stride) {
    const v = biased<T>(v128.load(p), be);
    a = i16x8.add(a, v); h = i16x8.add(h, high<T>(v, be));
  }
  addBytes<T>(acc, a, h, frames, be);
}

/** The two counters of one vector, put together and added to acc. */
// @ts-ignore: decorator
@inline function addBytes<T>(acc: usize, a: v128, h: v128, frames: i32, be: bool): void {
  const low = i16x8.sub(a, i16x8.shl(h, 8));
  if (sizeof<T>() == 1) { // low and high byte are neighbours: interleave them
    const back = isSigned<T>() ? i32x4.splat(-128 * frames) : i32x4.splat(0);
    const first = i8x16.shuffle(low, h, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
    const last = i8x16.shuffle(low, h, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
    addI32<T>(acc, i32x4.extend_low_i16x8_u(first), back);
    addI32<T>(acc + 32, i32x4.extend_high_i16x8_u(first), back);
    addI32<T>(acc + 64, i32x4.extend_low_i16x8_u(last), back);
    addI32<T>(acc + 96, i32x4.extend_high_i16x8_u(last), back);
    return;
  }
  const back = isSigned<T>() && be ? i32x4.splat(-32768 * frames) : i32x4.splat(0);
  const light = be ? h : low;
  const heavy = be ? low : h;
  const signed = isSigned<T>() && !be;
  const heavy0 = signed ? i32x4.extend_low_i16x8_s(heavy) : i32x4.extend_low_i16x8_u(heavy);
  const heavy1 = signed ? i32x4.extend_high_i16x8_s(heavy) : i32x4.extend_high_i16x8_u(heavy);
  addI32<T>(acc, i32x4.add(i32x4.shl(heavy0, 8), i32x4.extend_low_i16x8_u(light)), back);
  addI32<T>(acc + 32, i32x4.add(i32x4.shl(heavy1, 8), i32x4.extend_high_i16x8_u(light)), back);
}

// @ts-ignore: decorator
@inline function addI32<T>(acc: usize, sums: v128, back: v128): void {
  const v = isSigned<T>() ? i32x4.add(sums, back) : sums;
  v128.store(acc, f64x2.add(v128.load(acc), f64x2.convert_low_i32x4_s(v)));
  v128.store(acc, f64x2.add(v128.load(acc, 16), f64x2.convert_low_i32x4_s(i64x2.shuffle(v, v, 1, 1))), 16);
}

// ---- 32 and 64 bits ----

// @ts-ignore: decorator
@inline function wideLine<T>(acc: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  const order = orderOf<T>(frames);
  let a0 = v128.load(acc), a1 = v128.load(acc, 16), a2 = v128.load(acc, 32), a3 = v128.load(acc, 48);
  if (sizeof<T>() == 8) {
    for (let f = frames; f > 0; f--, p += stride) {
      a0 = f64x2.add(a0, vecIn<T>(p, be, order));
      a1 = f64x2.add(a1, vecIn<T>(p + 16, be, order));
      a2 = f64x2.add(a2, vecIn<T>(p + 32, be, order));
      a3 = f64x2.add(a3, vecIn<T>(p + 48, be, order));
    }
  } else {
    let a4 = v128.load(acc, 64), a5 = v128.load(acc, 80), a6 = v128.load(acc, 96), a7 = v128.load(acc, 112);
    for (let f = frames; f > 0; f--, p += stride) {
      const v0 = vecIn<T>(p, be, order), v1 = vecIn<T>(p + 16, be, order);
      const v2 = vecIn<T>(p + 32, be, order), v3 = vecIn<T>(p + 48, be, order);
      a0 = f64x2.add(a0, wideLow<T>(v0)); a1 = f64x2.add(a1, wideHigh<T>(v0));
      a2 = f64x2.add(a2, wideLow<T>(v1)); a3 = f64x2.add(a3, wideHigh<T>(v1));
      a4 = f64x2.add(a4, wideLow<T>(v2)); a5 = f64x2.add(a5, wideHigh<T>(v2));
      a6 = f64x2.add(a6, wideLow<T>(v3)); a7 = f64x2.add(a7, wideHigh<T>(v3));
    }
    v128.store(acc, a4, 64); v128.store(acc, a5, 80); v128.store(acc, a6, 96); v128.store(acc, a7, 112);
  }
  v128.store(acc, a0); v128.store(acc, a1, 16); v128.store(acc, a2, 32); v128.store(acc, a3, 48);
}

// @ts-ignore: decorator
@inline function wideVector<T>(acc: usize, p: usize, frames: i32, stride: usize, be: bool): void {
  let a0 = v128.load(acc);
  if (sizeof<T>() == 8) {
    for (let f = frames; f > 0; f--, p += stride) a0 = f64x2.add(a0, vec<T>(p, be));
  } else {
    let a1 = v128.load(acc, 16);
    for (let f = frames; f > 0; f--, p += stride) {
      const v = vec<T>(p, be);
      a0 = f64x2.add(a0, wideLow<T>(v)); a1 = f64x2.add(a1, wideHigh<T>(v));
    }
    v128.store(acc, a1, 16);
  }
  v128.store(acc, a0);
}

