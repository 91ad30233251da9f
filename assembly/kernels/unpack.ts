// Unpacks what detectors pack: samples of 1 to 32 bits, and the read-out order of Merlin's raw mode.
//
//   bits_lsb: value i = bits startBit + i*bits … of a stream whose first bit is the lowest bit of the first byte
//   bits_msb: the same for a stream whose first bit is the highest bit of the first byte
//   mib_r*:   64-bit words that lie backwards: pixel p of a word is found from its last byte on
//
// No byte after the last packed one is read: values come from one 64-bit load while there are 8 bytes, then from
// single bytes. Streams of 1, 4 and 12 bits that start with a byte are unpacked a vector at a time before that.

import { kept } from "./vectors";

// @ts-ignore: decorator
@inline export function bitsLsb<T>(dst: usize, src: usize, startBit: u32, n: i32, bits: i32): void {
  const mask: u64 = bits == 64 ? ~0 : (<u64>1 << bits) - 1;
  const end = src + (<usize>((<u64>startBit + <u64>n * bits + 7) >> 3));
  const done = wholeVectors<T>(dst, src, startBit, n, bits, end, false);
  let bit: u64 = <u64>startBit + <u64>done * bits;
  dst += <usize>done * sizeof<T>();
  for (let i = done; i < n; i++, bit += bits, dst += sizeof<T>()) {
    store<T>(dst, <T>((littleAt(src + <usize>(bit >> 3), end) >> (bit & 7)) & mask));
  }
}

// @ts-ignore: decorator
@inline export function bitsMsb<T>(dst: usize, src: usize, startBit: u32, n: i32, bits: i32): void {
  const end = src + (<usize>((<u64>startBit + <u64>n * bits + 7) >> 3));
  const done = wholeVectors<T>(dst, src, startBit, n, bits, end, true);
  let bit: u64 = <u64>startBit + <u64>done * bits;
  dst += <usize>done * sizeof<T>();
  for (let i = done; i < n; i++, bit += bits, dst += sizeof<T>()) {
    store<T>(dst, <T>((bswap<u64>(littleAt(src + <usize>(bit >> 3), end)) << (bit & 7)) >> (64 - bits)));
  }
}

/** Unpacks as many values as come in whole vectors, and says how many; `msb`: the highest bit first. */
// @ts-ignore: decorator
@inline function wholeVectors<T>(dst: usize, src: usize, startBit: u32, n: i32, bits: i32, end: usize, msb: bool): i32 {
  if (startBit & 7) return 0;
  const p = src + (startBit >> 3);
  if (bits == 1) return ones<T>(dst, p, n, msb);
  if (bits == 4) return nibbles<T>(dst, p, n, msb);
  if (bits == 12 && sizeof<T>() > 1) return twelves<T>(dst, p, n, end, msb);
  return 0;
}

/** Two bytes to 16 values: each byte spread over 8 lanes, one bit kept a lane, and made 1. */
// @ts-ignore: decorator
@inline function ones<T>(dst: usize, p: usize, n: i32, msb: bool): i32 {
  const spreadBytes = kept(i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), n), one = kept(i8x16.splat(1), n);
  const lanes = kept(msb ? i8x16(-128, 64, 32, 16, 8, 4, 2, 1, -128, 64, 32, 16, 8, 4, 2, 1) : i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128), n);
  let i = 0;
  for (; i + 16 <= n; i += 16, p += 2, dst += 16 * sizeof<T>()) {
    const bit = v128.and(i8x16.swizzle(i16x8.splat(load<i16>(p)), spreadBytes), lanes);
    storeBytes<T>(dst, v128.and(i8x16.eq(bit, lanes), one));
  }
  return i;
}

/** Eight bytes to 16 values. */
// @ts-ignore: decorator
@inline function nibbles<T>(dst: usize, p: usize, n: i32, msb: bool): i32 {
  const mask = kept(i8x16.splat(15), n);
  let i = 0;
  for (; i + 16 <= n; i += 16, p += 8, dst += 16 * sizeof<T>()) {
    const v = v128.load64_zero(p), low = v128.and(v, mask), high = i8x16.shr_u(v, 4);
    storeBytes<T>(dst, msb ? mixed(high, low) : mixed(low, high));
  }
  return i;
}

// @ts-ignore: decorator
@inline function mixed(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/**
 * Twelve bytes to 8 values: the two bytes of each go to a lane of 16 bits. What stands too low there goes up first, so that
 * a shift down leaves nothing of the neighbour.
 */
// @ts-ignore: decorator
@inline function twelves<T>(dst: usize, p: usize, n: i32, end: usize, msb: bool): i32 {
  const places = kept(msb ? i8x16(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10) : i8x16(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11), n);
  const up = kept(msb ? i16x8(1, 16, 1, 16, 1, 16, 1, 16) : i16x8(16, 1, 16, 1, 16, 1, 16, 1), n);
  let i = 0;
  for (; i + 8 <= n && p + 16 <= end; i += 8, p += 12, dst += 8 * sizeof<T>()) {
    const values = i16x8.shr_u(i16x8.mul(i8x16.swizzle(v128.load(p), places), up), 4);
    if (sizeof<T>() == 2) v128.store(dst, values);
    else { v128.store(dst, i32x4.extend_low_i16x8_u(values)); v128.store(dst, i32x4.extend_high_i16x8_u(values), 16); }
  }
  return i;
}

/** 16 bytes as values of T. */
// @ts-ignore: decorator
@inline function storeBytes<T>(dst: usize, v: v128): void {
  if (sizeof<T>() == 1) { v128.store(dst, v); return; }
  const low = i16x8.extend_low_i8x16_u(v), high = i16x8.extend_high_i8x16_u(v);
  if (sizeof<T>() == 2) { v128.store(dst, low); v128.store(dst, high, 16); return; }
  v128.store(dst, i32x4.extend_low_i16x8_u(low)); v128.store(dst, i32x4.extend_high_i16x8_u(low), 16);
  v128.store(dst, i32x4.extend_low_i16x8_u(high), 32); v128.store(dst, i32x4.extend_high_i16x8_u(high), 48);
}

/** 8 bytes from `p` as a number, the first the lowest; bytes from `end` on count as 0. */
// @ts-ignore: decorator
@inline function littleAt(p: usize, end: usize): u64 {
  if (p + 8 <= end) return load<u64>(p);
  let value: u64 = 0;
  for (let shift: u64 = 0; p < end; p++, shift += 8) value |= <u64>load<u8>(p) << shift;
  return value;
}

// @ts-ignore: decorator
@inline export function reverse<T>(dst: usize, src: usize, n: i32): void {
  const back = sizeof<T>() == 1
    ? kept(i8x16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), n)
    : kept(i8x16(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1), n);
  let from = src + <usize>n * sizeof<T>();
  for (; from >= src + 16; dst += 16) {
    from -= 16;
    v128.store(dst, i8x16.swizzle(v128.load(from), back));
  }
  for (; from > src; dst += sizeof<T>()) {
    from -= sizeof<T>();
    store<T>(dst, load<T>(from));
  }
}

// 1 bit: pixel p of a word is bit p % 8 of byte 7 - p / 8. Two bytes become 16 pixels: each byte spread over 8 lanes,
// one bit kept a lane, and made 1.
// @ts-ignore: decorator
@inline export function mibR1<T>(dst: usize, src: usize, n: i32): void {
  const lanes = kept(i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128), n);
  for (; n >= 64; n -= 64, src += 8, dst += 64) {
    const word = v128.load64_zero(src);
    spread(dst, word, i8x16(7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 6, 6, 6), lanes);
    spread(dst + 16, word, i8x16(5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4), lanes);
    spread(dst + 32, word, i8x16(3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2), lanes);
    spread(dst + 48, word, i8x16(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0), lanes);
  }
  for (let p = 0; p < n; p++) store<u8>(dst + p, (<u32>load<u8>(src + 7 - (p >> 3)) >> (p & 7)) & 1);
}

// @ts-ignore: decorator
@inline function spread(dst: usize, word: v128, bytes: v128, lanes: v128): void {
  const kept = v128.and(i8x16.swizzle(word, bytes), lanes);
  v128.store(dst, v128.and(i8x16.eq(kept, lanes), i8x16.splat(1)));
}

// 6 bits in bytes, 12 bits in big-endian words of 16: turning a 64-bit word around puts both right.
// @ts-ignore: decorator
@inline export function mibWords<T>(dst: usize, src: usize, n: i32): void {
  const bytes = <usize>n * sizeof<T>();
  const back = kept(i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), n);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(dst + at, i8x16.swizzle(v128.load(src + at), back));
  for (; at < bytes; at++) store<u8>(dst + at, load<u8>(src + (at & ~7) + 7 - (at & 7)));
}

// 24 bits: two images of 12 bits, the high one first in the file.
// @ts-ignore: decorator
@inline export function mibR24<T>(dst: usize, high: usize, low: usize, n: i32): void {
  const back = kept(i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), n);
  let p = 0;
  for (; p + 8 <= n; p += 8, dst += 32, high += 16, low += 16) {
    const h = i8x16.swizzle(v128.load(high), back), l = i8x16.swizzle(v128.load(low), back);
    v128.store(dst, joined(i32x4.extend_low_i16x8_u(h), i32x4.extend_low_i16x8_u(l)));
    v128.store(dst, joined(i32x4.extend_high_i16x8_u(h), i32x4.extend_high_i16x8_u(l)), 16);
  }
  for (let i = 0; p < n; p++, i++, dst += 4) {
    const at = <usize>((i & ~3) + 3 - (i & 3)) << 1;
    store<u32>(dst, (<u32>bswap<u16>(load<u16>(high + at)) << 12) + <u32>bswap<u16>(load<u16>(low + at)));
  }
}

// @ts-ignore: decorator
@inline function joined(high: v128, low: v128): v128 {
  return i32x4.add(i32x4.shl(high, 12), low);
}
