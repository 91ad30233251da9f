// Puts together the frames of detectors that are read out in pieces.
//
//   k2is_rows: a sector of a Gatan K2. Blocks of 16 columns lie one after another, the last columns first; a row of a
//     block is 24 bytes, 16 values of 12 bits, the lowest first. Row r of block k goes to columns 16 (blocks - 1 - k) …
//     of row r.
//   unfold: a frame of a pnCCD. A stored row holds row y of the upper half, and behind it row y of the lower half as
//     seen by a chip that is turned around. Binned rows are shown `bin` times.
//   mean_frames: the mean of frames of 16 bits, rounded once. Sums are exact up to 65537 frames.

import { kept } from "./vectors";

/** Blocks that are unpacked side by side: whole cache lines are written, and as many streams are read. */
const ABREAST: i32 = 8;

// @ts-ignore: decorator
@inline export function k2isRows<T>(dst: usize, dstStride: usize, src: usize, blockStride: usize, blocks: i32, rows: i32): void {
  for (let left = blocks; left > 0;) {
    const count = min(left, ABREAST);
    left -= count;
    const to = dst + (<usize>left << 5), last = src + <usize>(blocks - left - 1) * blockStride;
    if (count == ABREAST) abreast(to, dstStride, last, blockStride, ABREAST, rows);
    else abreast(to, dstStride, last, blockStride, count, rows);
  }
}

/** `count` blocks from the one at `last`, the leftmost, back to the right. */
// @ts-ignore: decorator
@inline function abreast(dst: usize, dstStride: usize, last: usize, blockStride: usize, count: i32, rows: i32): void {
  const places = kept(i8x16(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11), rows);
  const later = kept(i8x16(4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11, 12, 13, 14, 14, 15), rows);
  const up = kept(i16x8(16, 1, 16, 1, 16, 1, 16, 1), rows); // the first of two values loses what is above it
  for (let r = 0; r < rows; r++, dst += dstStride, last += 24) {
    for (let k = 0, p = last, out = dst; k < count; k++, p -= blockStride, out += 32) {
      const a = i8x16.swizzle(v128.load(p), places), b = i8x16.swizzle(v128.load(p, 8), later);
      v128.store(out, i16x8.shr_u(i16x8.mul(a, up), 4));
      v128.store(out, i16x8.shr_u(i16x8.mul(b, up), 4), 16);
    }
  }
}

// @ts-ignore: decorator
@inline export function unfold<T>(dst: usize, src: usize, rows: i32, width: i32, bin: i32): void {
  const rowBytes = <usize>width * sizeof<T>();
  let last = dst + <usize>(2 * rows * bin) * rowBytes;
  for (let r = 0; r < rows; r++, src += 2 * rowBytes) {
    for (let b = 0; b < bin; b++, dst += rowBytes) {
      copied(dst, src, rowBytes);
      last -= rowBytes;
      turned<T>(last, src + rowBytes, width);
    }
  }
}

/** `memory.copy` is a call of its own, which short rows feel. */
// @ts-ignore: decorator
@inline function copied(dst: usize, src: usize, bytes: usize): void {
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(dst + at, v128.load(src + at));
  for (; at < bytes; at++) store<u8>(dst + at, load<u8>(src + at));
}

// @ts-ignore: decorator
@inline function turned<T>(dst: usize, src: usize, n: i32): void {
  const back = kept(i8x16(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1), n);
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

// @ts-ignore: decorator
@inline export function meanFrames<T>(dst: usize, src: usize, frames: i32, stride: usize, n: i32): void {
  const many = f64x2.splat(<f64>frames);
  let p = 0;
  for (; p + 8 <= n; p += 8, src += 16, dst += 32) {
    let low = i32x4.splat(0), high = i32x4.splat(0);
    for (let f = 0, at = src; f < frames; f++, at += stride) {
      const v = v128.load(at);
      low = i32x4.add(low, i32x4.extend_low_i16x8_u(v));
      high = i32x4.add(high, i32x4.extend_high_i16x8_u(v));
    }
    v128.store(dst, divided(low, many));
    v128.store(dst, divided(high, many), 16);
  }
  for (; p < n; p++, src += 2, dst += 4) {
    let sum: u32 = 0;
    for (let f = 0, at = src; f < frames; f++, at += stride) sum += <u32>load<u16>(at);
    store<f32>(dst, <f32>(<f64>sum / <f64>frames));
  }
}

/** Four sums divided in f64, as f32. */
// @ts-ignore: decorator
@inline function divided(sums: v128, by: v128): v128 {
  const low = f32x4.demote_f64x2_zero(f64x2.div(f64x2.convert_low_i32x4_u(sums), by));
  const high = f32x4.demote_f64x2_zero(f64x2.div(f64x2.convert_low_i32x4_u(i64x2.shuffle(sums, sums, 1, 1)), by));
  return i64x2.shuffle(low, high, 0, 2);
}
