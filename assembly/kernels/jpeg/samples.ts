// From coefficients to samples: 8 × 8 of them at a time, in the integers of libjpeg ("islow").
//
// Source: C. Loeffler, A. Ligtenberg, G. Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications", 1989.
//
// 8 bits: eight columns at once, in 16 bits; sums of two products in 32. Sums of two coefficients that are more than 16 bits
// wrap around, and columns are cut to 16 bits between the passes, as by the vector code of libjpeg-turbo; no image that an
// encoder made gets there. 12 bits: four columns at once, in 32 bits, modulo 2³².
//
// A block with nothing but its first coefficient has one value.

// 0.541 1.848 0.765 1.176 1.962 0.390 0.899 0.299 1.501 2.053 2.563 3.073, times 2¹³
const A: i16 = 4433, B: i16 = 15137, C: i16 = 6270, D: i16 = 9633, E: i16 = 16069, F: i16 = 3196;
const G: i16 = 7373, H: i16 = 2446, I: i16 = 12299, J: i16 = 16819, K: i16 = 20995, L: i16 = 25172;

// @ts-ignore: decorator
@inline export function jpegSamples<T>(dst: usize, stride: usize, blocks: usize, table: usize, columns: i32, spare: usize): void {
  for (let column = 0; column < columns; column++, dst += 8 * sizeof<T>(), blocks += 128) {
    if (isFlat(blocks)) flat<T>(dst, stride, <i32>load<i16>(blocks), <i32>load<u16>(table));
    else if (sizeof<T>() == 1) bytesOf(dst, stride, blocks, table, spare);
    else wordsOf(dst, stride, blocks, table, spare);
  }
}

// @ts-ignore: decorator
@inline function isFlat(block: usize): bool {
  const first = v128.and(v128.load(block), i16x8(0, -1, -1, -1, -1, -1, -1, -1));
  const some = v128.or(v128.or(first, v128.load(block, 16)), v128.or(v128.load(block, 32), v128.load(block, 48)));
  const more = v128.or(v128.or(v128.load(block, 64), v128.load(block, 80)), v128.or(v128.load(block, 96), v128.load(block, 112)));
  return !v128.any_true(v128.or(some, more));
}

// @ts-ignore: decorator
@inline function flat<T>(dst: usize, stride: usize, first: i32, factor: i32): void {
  if (sizeof<T>() == 1) {
    const value = max(-32768, min(32767, <i32><i16>(first * factor) << 2));
    const all = <u64>max(0, min(255, (value + 16 >> 5) + 128)) * 0x0101010101010101;
    for (let y = 0; y < 8; y++, dst += stride) store<u64>(dst, all);
  } else {
    const column = (first * factor << 13) + (1 << 11) >> 12, value = (column << 13) + (1 << 16) >> 17;
    const all = i16x8.splat(<i16>max(0, min(4095, value + 2048)));
    for (let y = 0; y < 8; y++, dst += stride) v128.store(dst, all);
  }
}

/** A block of samples of 8 bits; `work`: 128 bytes. */
function bytesOf(dst: usize, stride: usize, block: usize, table: usize, work: usize): void {
  for (let at: usize = 0; at < 128; at += 16) v128.store(work + at, i16x8.mul(v128.load(block + at), v128.load(table + at)));
  pass(work, 1 << 10, 11);
  pass(work, 1 << 17, 18);
  const middle = i8x16.splat(-128);
  for (let at: usize = 0; at < 128; at += 32, dst += 2 * stride) {
    const two = v128.xor(i8x16.narrow_i16x8_s(v128.load(work + at), v128.load(work + at, 16)), middle);
    v128.store64_lane(dst, two, 0);
    v128.store64_lane(dst + stride, two, 1);
  }
}

/** All columns; what comes out is transposed. */
// @ts-ignore: decorator
@inline function pass(work: usize, half: i32, shift: i32): void {
  const x0 = v128.load(work), x1 = v128.load(work, 16), x2 = v128.load(work, 32), x3 = v128.load(work, 48);
  const x4 = v128.load(work, 64), x5 = v128.load(work, 80), x6 = v128.load(work, 96), x7 = v128.load(work, 112);
  const round = i32x4.splat(half);

  const even = pairs(A + C, A), even2 = pairs(A, A - B);
  const low26 = low(x2, x6), high26 = high(x2, x6);
  const l3 = i32x4.dot_i16x8_s(low26, even), h3 = i32x4.dot_i16x8_s(high26, even);
  const l2 = i32x4.dot_i16x8_s(low26, even2), h2 = i32x4.dot_i16x8_s(high26, even2);
  const plus = i16x8.add(x0, x4), minus = i16x8.sub(x0, x4);
  const l0 = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(plus), 13), round), h0 = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(plus), 13), round);
  const l1 = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(minus), 13), round), h1 = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(minus), 13), round);
  const la0 = i32x4.add(l0, l3), la3 = i32x4.sub(l0, l3), la1 = i32x4.add(l1, l2), la2 = i32x4.sub(l1, l2);
  const ha0 = i32x4.add(h0, h3), ha3 = i32x4.sub(h0, h3), ha1 = i32x4.add(h1, h2), ha2 = i32x4.sub(h1, h2);

  const z3 = i16x8.add(x7, x3), z4 = i16x8.add(x5, x1), lowz = low(z3, z4), highz = high(z3, z4);
  const odd3 = pairs(D - E, D), odd4 = pairs(D, D - F);
  const lz3 = i32x4.dot_i16x8_s(lowz, odd3), hz3 = i32x4.dot_i16x8_s(highz, odd3);
  const lz4 = i32x4.dot_i16x8_s(lowz, odd4), hz4 = i32x4.dot_i16x8_s(highz, odd4);
  const low71 = low(x7, x1), high71 = high(x7, x1), low53 = low(x5, x3), high53 = high(x5, x3);
  const c0 = pairs(H - G, -G), c3 = pairs(-G, I - G), c1 = pairs(J - K, -K), c2 = pairs(-K, L - K);
  const lb0 = i32x4.add(i32x4.dot_i16x8_s(low71, c0), lz3), hb0 = i32x4.add(i32x4.dot_i16x8_s(high71, c0), hz3);
  const lb3 = i32x4.add(i32x4.dot_i16x8_s(low71, c3), lz4), hb3 = i32x4.add(i32x4.dot_i16x8_s(high71, c3), hz4);
  const lb1 = i32x4.add(i32x4.dot_i16x8_s(low53, c1), lz4), hb1 = i32x4.add(i32x4.dot_i16x8_s(high53, c1), hz4);
  const lb2 = i32x4.add(i32x4.dot_i16x8_s(low53, c2), lz3), hb2 = i32x4.add(i32x4.dot_i16x8_s(high53, c2), hz3);

  const y0 = sums(la0, lb3, ha0, hb3, shift), y7 = differences(la0, lb3, ha0, hb3, shift);
  const y1 = sums(la1, lb2, ha1, hb2, shift), y6 = differences(la1, lb2, ha1, hb2, shift);
  const y2 = sums(la2, lb1, ha2, hb1, shift), y5 = differences(la2, lb1, ha2, hb1, shift);
  const y3 = sums(la3, lb0, ha3, hb0, shift), y4 = differences(la3, lb0, ha3, hb0, shift);

  const a04 = low(y0, y4), b04 = high(y0, y4), a15 = low(y1, y5), b15 = high(y1, y5); // a transposition in three rounds
  const a26 = low(y2, y6), b26 = high(y2, y6), a37 = low(y3, y7), b37 = high(y3, y7);
  const c02 = low(a04, a26), d02 = high(a04, a26), c13 = low(a15, a37), d13 = high(a15, a37);
  const e02 = low(b04, b26), f02 = high(b04, b26), e13 = low(b15, b37), f13 = high(b15, b37);
  v128.store(work, low(c02, c13));
  v128.store(work, high(c02, c13), 16);
  v128.store(work, low(d02, d13), 32);
  v128.store(work, high(d02, d13), 48);
  v128.store(work, low(e02, e13), 64);
  v128.store(work, high(e02, e13), 80);
  v128.store(work, low(f02, f13), 96);
  v128.store(work, high(f02, f13), 112);
}

/** The first four lanes of two vectors in turn. */
// @ts-ignore: decorator
@inline function low(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
}

/** The last four lanes of two vectors in turn. */
// @ts-ignore: decorator
@inline function high(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
}

// @ts-ignore: decorator
@inline function pairs(a: i16, b: i16): v128 {
  return i16x8(a, b, a, b, a, b, a, b);
}

// @ts-ignore: decorator
@inline function sums(la: v128, lb: v128, ha: v128, hb: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(la, lb), shift), i32x4.shr_s(i32x4.add(ha, hb), shift));
}

// @ts-ignore: decorator
@inline function differences(la: v128, lb: v128, ha: v128, hb: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(la, lb), shift), i32x4.shr_s(i32x4.sub(ha, hb), shift));
}

/** A block of samples of 12 bits; `work`: 512 bytes. */
function wordsOf(dst: usize, stride: usize, block: usize, table: usize, work: usize): void {
  for (let at: usize = 0; at < 128; at += 8) {
    v128.store(work + 2 * at, i32x4.mul(v128.load16x4_s(block + at), v128.load16x4_u(table + at)));
  }
  widePass(work, 1 << 11, 12);
  widePass(work + 16, 1 << 11, 12);
  turn(work + 256, work);
  widePass(work + 256, 1 << 16, 17);
  widePass(work + 272, 1 << 16, 17);
  turn(work, work + 256);
  const middle = i32x4.splat(2048), zero = i32x4.splat(0), most = i32x4.splat(4095);
  for (let end = work + 256; work < end; work += 32, dst += stride) {
    const a = i32x4.min_s(most, i32x4.max_s(zero, i32x4.add(v128.load(work), middle)));
    const b = i32x4.min_s(most, i32x4.max_s(zero, i32x4.add(v128.load(work, 16), middle)));
    v128.store(dst, i16x8.narrow_i32x4_s(a, b));
  }
}

function turn(to: usize, from: usize): void {
  for (let y: usize = 0; y < 8; y++) {
    for (let x: usize = 0; x < 8; x++) store<i32>(to + 32 * x + 4 * y, load<i32>(from + 32 * y + 4 * x));
  }
}

/** Four columns, in rows of 32 bytes. */
function widePass(p: usize, half: i32, shift: i32): void {
  const round = i32x4.splat(half);
  const x0 = v128.load(p), x1 = v128.load(p, 32), x2 = v128.load(p, 64), x3 = v128.load(p, 96);
  const x4 = v128.load(p, 128), x5 = v128.load(p, 160), x6 = v128.load(p, 192), x7 = v128.load(p, 224);
  const z1 = times(i32x4.add(x2, x6), A), e2 = i32x4.sub(z1, times(x6, B)), e3 = i32x4.add(z1, times(x2, C));
  const e0 = i32x4.add(i32x4.shl(i32x4.add(x0, x4), 13), round), e1 = i32x4.add(i32x4.shl(i32x4.sub(x0, x4), 13), round);
  const a0 = i32x4.add(e0, e3), a3 = i32x4.sub(e0, e3), a1 = i32x4.add(e1, e2), a2 = i32x4.sub(e1, e2);
  const s73 = i32x4.add(x7, x3), s51 = i32x4.add(x5, x1), sum = times(i32x4.add(s73, s51), D);
  const y1 = times(i32x4.add(x7, x1), -G), y2 = times(i32x4.add(x5, x3), -K);
  const y3 = i32x4.add(times(s73, -E), sum), y4 = i32x4.add(times(s51, -F), sum);
  const b0 = i32x4.add(times(x7, H), i32x4.add(y1, y3)), b1 = i32x4.add(times(x5, J), i32x4.add(y2, y4));
  const b2 = i32x4.add(times(x3, L), i32x4.add(y2, y3)), b3 = i32x4.add(times(x1, I), i32x4.add(y1, y4));
  v128.store(p, i32x4.shr_s(i32x4.add(a0, b3), shift));
  v128.store(p, i32x4.shr_s(i32x4.add(a1, b2), shift), 32);
  v128.store(p, i32x4.shr_s(i32x4.add(a2, b1), shift), 64);
  v128.store(p, i32x4.shr_s(i32x4.add(a3, b0), shift), 96);
  v128.store(p, i32x4.shr_s(i32x4.sub(a3, b0), shift), 128);
  v128.store(p, i32x4.shr_s(i32x4.sub(a2, b1), shift), 160);
  v128.store(p, i32x4.shr_s(i32x4.sub(a1, b2), shift), 192);
  v128.store(p, i32x4.shr_s(i32x4.sub(a0, b3), shift), 224);
}

// @ts-ignore: decorator
@inline function times(v: v128, factor: i32): v128 {
  return i32x4.mul(v, i32x4.splat(factor));
}
