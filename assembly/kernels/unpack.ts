// Unpacks what detectors pack: samples of 1 to 32 bits, and the read-out order of Merlin's raw mode.
//
//   bits_lsb: value i = bits startBit + i*bits … of a stream whose first bit is the lowest bit of the first byte
//   bits_msb: the same for a stream whose first bit is the highest bit of the first byte
//   mib_r*:   64-bit words that lie backwards: pixel p of a word is found from its last byte on
//
// No byte after the last packed one is read: values come from one 64-bit load while there are 8 bytes, then from
// single bytes.

// @ts-ignore: decorator
@inline export function bitsLsb<T>(dst: usize, src: usize, startBit: u32, n: i32, bits: i32): void {
  const mask: u64 = bits == 64 ? ~0 : (<u64>1 << bits) - 1;
  const end = src + (<usize>((<u64>startBit + <u64>n * bits + 7) >> 3));
  let bit: u64 = startBit;
  for (let i = 0; i < n; i++, bit += bits, dst += sizeof<T>()) {
    store<T>(dst, <T>((littleAt(src + <usize>(bit >> 3), end) >> (bit & 7)) & mask));
  }
}

// @ts-ignore: decorator
@inline export function bitsMsb<T>(dst: usize, src: usize, startBit: u32, n: i32, bits: i32): void {
  const end = src + (<usize>((<u64>startBit + <u64>n * bits + 7) >> 3));
  let bit: u64 = startBit;
  for (let i = 0; i < n; i++, bit += bits, dst += sizeof<T>()) {
    store<T>(dst, <T>((bswap<u64>(littleAt(src + <usize>(bit >> 3), end)) << (bit & 7)) >> (64 - bits)));
  }
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
  for (let from = src + <usize>n * sizeof<T>(); from > src; dst += sizeof<T>()) {
    from -= sizeof<T>();
    store<T>(dst, load<T>(from));
  }
}

// 1 bit: pixel p of a word is bit p % 8 of byte 7 - p / 8. Two bytes become 16 pixels: each byte spread over 8 lanes,
// one bit kept a lane, and made 1.
// @ts-ignore: decorator
@inline export function mibR1<T>(dst: usize, src: usize, n: i32): void {
  const lanes = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
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
  const back = i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(dst + at, i8x16.swizzle(v128.load(src + at), back));
  for (; at < bytes; at++) store<u8>(dst + at, load<u8>(src + (at & ~7) + 7 - (at & 7)));
}

// 24 bits: two images of 12 bits, the high one first in the file.
// @ts-ignore: decorator
@inline export function mibR24<T>(dst: usize, high: usize, low: usize, n: i32): void {
  const back = i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
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
