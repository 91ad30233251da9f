// bits_above, bits_nonzero: which samples of lines are inside, a bit each, and the runs of such samples.
//
//   for each row: bit x of the row = data[x] > limit, or data[x] ≠ 0
//     runs begin where a bit is 1 and the one before it is 0
//
// A row of bits is whole words of 64; those behind the last sample are 0. 64 samples are compared at a time.

import { atMost, endOf, startOf } from "./limits";

export function bitsAbove<T>(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32, limit: f64): void {
  if (isInteger<T>()) {
    if (limit < startOf<T>()) { alike(bits, lines, first, rows, n, true); return; }
    if (!(limit < endOf<T>() - 1)) { alike(bits, lines, first, rows, n, false); return; }
    write<T>(bits, lines, first, data, rowStride, rows, n, <T>floor(limit), ABOVE);
    return;
  }
  write<T>(bits, lines, first, data, rowStride, rows, n, sizeof<T>() == 4 ? <T>atMost(limit) : <T>limit, ABOVE);
}

export function bitsNonzero<T>(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32): void {
  write<T>(bits, lines, first, data, rowStride, rows, n, 0, OTHER);
}

/** What a sample is compared with the limit for. */
const ABOVE = 0, OTHER = 1;

// @ts-ignore: decorator
@inline function write<T>(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32, limit: T, test: i32): void {
  const limits = v128.splat<T>(limit);
  let run = first;
  store<u32>(lines, run);
  for (let row = 0; row < rows; row++, data += rowStride) {
    let at = data, left = n;
    let last: u64 = 0;
    for (; left > 0; left -= 64, at += 64 * sizeof<T>(), bits += 8) {
      let word: u64;
      if (left < 64) word = rest<T>(at, left, limits, limit, test);
      else {
        word = sixteen<T>(at, limits, test) | sixteen<T>(at + 16 * sizeof<T>(), limits, test) << 16 |
          sixteen<T>(at + 32 * sizeof<T>(), limits, test) << 32 | sixteen<T>(at + 48 * sizeof<T>(), limits, test) << 48;
      }
      store<u64>(bits, word);
      run += <u32>popcnt(word & ~(word << 1 | last));
      last = word >> 63;
    }
    lines += 4;
    store<u32>(lines, run);
  }
}

/** Bits of rows whose samples are all inside, or all outside. */
function alike(bits: usize, lines: usize, first: u32, rows: i32, n: i32, inside: bool): void {
  const runs = inside && n > 0 ? <u32>1 : 0;
  store<u32>(lines, first);
  for (let row = 1; row <= rows; row++) {
    for (let left = n; left > 0; left -= 64, bits += 8) {
      store<u64>(bits, !inside ? 0 : left < 64 ? ((<u64>1) << left) - 1 : ~(<u64>0));
    }
    store<u32>(lines + (<usize>row << 2), first + runs * <u32>row);
  }
}

/** The bits of fewer than 64 samples. */
// @ts-ignore: decorator
@inline function rest<T>(at: usize, left: i32, limits: v128, limit: T, test: i32): u64 {
  let word: u64 = 0, i = 0;
  for (; i + 16 <= left; i += 16) word |= sixteen<T>(at + <usize>i * sizeof<T>(), limits, test) << i;
  for (; i < left; i++) {
    const value = load<T>(at + <usize>i * sizeof<T>());
    word |= <u64>(test == OTHER ? value != limit : value > limit) << i;
  }
  return word;
}

/** The bits of 16 samples: their comparisons, all bits set or none, narrowed to bytes. */
// @ts-ignore: decorator
@inline function sixteen<T>(data: usize, limits: v128, test: i32): u64 {
  if (sizeof<T>() == 1) return <u64>i8x16.bitmask(compared<T>(data, limits, test));
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(eight<T>(data, limits, test), eight<T>(data + 8 * sizeof<T>(), limits, test)));
}

// @ts-ignore: decorator
@inline function eight<T>(data: usize, limits: v128, test: i32): v128 {
  if (sizeof<T>() == 2) return compared<T>(data, limits, test);
  return i16x8.narrow_i32x4_s(four<T>(data, limits, test), four<T>(data + 4 * sizeof<T>(), limits, test));
}

// @ts-ignore: decorator
@inline function four<T>(data: usize, limits: v128, test: i32): v128 {
  if (sizeof<T>() == 4) return compared<T>(data, limits, test);
  return i32x4.shuffle(compared<T>(data, limits, test), compared<T>(data + 16, limits, test), 0, 2, 4, 6);
}

/** The samples of one vector; there is no comparison of unsigned integers of 64 bits, so their order is turned into that of signed ones. */
// @ts-ignore: decorator
@inline function compared<T>(data: usize, limits: v128, test: i32): v128 {
  const v = v128.load(data);
  if (test == OTHER) return v128.ne<T>(v, limits);
  if (isInteger<T>() && sizeof<T>() == 8) {
    if (isSigned<T>()) return i64x2.gt_s(v, limits);
    const low = i64x2.splat(i64.MIN_VALUE);
    return i64x2.gt_s(v128.xor(v, low), v128.xor(limits, low));
  }
  return v128.gt<T>(v, limits);
}

/** float16, one by one. */
export function bitsAboveHalf(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32, limit: f64): void {
  halves(bits, lines, first, data, rowStride, rows, n, limit, ABOVE);
}

export function bitsNonzeroHalf(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32): void {
  halves(bits, lines, first, data, rowStride, rows, n, 0, OTHER);
}

// @ts-ignore: decorator
@inline function halves(bits: usize, lines: usize, first: u32, data: usize, rowStride: usize, rows: i32, n: i32, limit: f64, test: i32): void {
  let run = first;
  store<u32>(lines, run);
  for (let row = 0; row < rows; row++, data += rowStride) {
    let last = false;
    let word: u64 = 0;
    for (let x = 0; x < n; x++) {
      const value = halfAt(data + (<usize>x << 1));
      const inside = test == OTHER ? value != 0 : <f64>value > limit;
      run += <u32>(inside && !last);
      last = inside;
      word |= <u64>inside << x;
      if ((x & 63) == 63 || x == n - 1) {
        store<u64>(bits, word);
        bits += 8;
        word = 0;
      }
    }
    lines += 4;
    store<u32>(lines, run);
  }
}

/** See `convert.ts`. */
// @ts-ignore: decorator
@inline function halfAt(at: usize): f32 {
  const half = <u32>load<u16>(at);
  let bits = (half & 0x7fff) << 13;
  if (bits >= 0x0f800000) bits |= 0x7f800000;
  else bits = reinterpret<u32>(reinterpret<f32>(bits) * reinterpret<f32>(<u32>0x77800000));
  return reinterpret<f32>(bits | ((half & 0x8000) << 16));
}
