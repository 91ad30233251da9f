// Undoes the predictors of TIFF: samples of a row that were stored as differences from the pixel before.
//
//   sum_rows    y[i] = y[i − step] + x[i]   modulo 2^bits; the first pixel of a row is as it is
//   float_rows  the bytes of a row, with sums of bytes undone like that, are planes: the highest bytes of all floats,
//               then their second bytes, …
//
// A vector holds the pixels of 16 bytes (of 15 or 12, if they have 3, 6 or 12): sums within it in steps of 1, 2, 4 …
// pixels; then the last pixel of the vector before, repeated, is added to all.

import { orderOf, sample, vecIn } from "../vectors";
import { woven } from "./unshuffle";

// @ts-ignore: decorator
@inline export function sumRows<T>(dst: usize, src: usize, rows: i32, width: i32, step: i32, be: bool): void {
  const bytes = <usize>width * sizeof<T>();
  for (let r = 0; r < rows; r++, dst += bytes, src += bytes) sumRow<T>(dst, src, bytes, <usize>step * sizeof<T>(), be);
}

// @ts-ignore: decorator
@inline export function floatRows<T>(dst: usize, src: usize, rows: i32, width: i32, size: i32, step: i32, spare: usize): void {
  const n = <usize>width, bytes = n * size;
  for (let r = 0; r < rows; r++, dst += bytes, src += bytes) {
    sumRow<u8>(spare, src, bytes, step, false);
    woven<T>(dst, spare + n * (size - 1), width, size, 0 - n);
  }
}

/** A row of `bytes` bytes, whose pixels have `pixel` bytes. */
function sumRow<T>(dst: usize, src: usize, bytes: usize, pixel: usize, be: bool): void {
  const order = orderOf<T>(<i32>pixel);
  let at: usize = 0;
  for (let first = min(pixel, bytes); at < first; at += sizeof<T>()) store<T>(dst + at, sample<T>(src + at, be));
  if (bytes >= 32) { // `at` stays the end of the first pixel in what follows
    if (pixel >= 16) {
      for (; at + 16 <= bytes; at += 16) {
        v128.store(dst + at, v128.add<T>(vecIn<T>(src + at, be, order), v128.load(dst + at - pixel)));
      }
    } else if (pixel == 1) at = vectors<T>(dst, src, bytes, 1, 16, be, order);
    else if (pixel == 2) at = vectors<T>(dst, src, bytes, 2, 16, be, order);
    else if (pixel == 3) at = vectors<T>(dst, src, bytes, 3, 15, be, order);
    else if (pixel == 4) at = vectors<T>(dst, src, bytes, 4, 16, be, order);
    else if (pixel == 6) at = vectors<T>(dst, src, bytes, 6, 12, be, order);
    else if (pixel == 8) at = vectors<T>(dst, src, bytes, 8, 16, be, order);
    else if (pixel == 12) at = vectors<T>(dst, src, bytes, 12, 12, be, order);
  }
  for (; at < bytes; at += sizeof<T>()) {
    store<T>(dst + at, <T>(load<T>(dst + at - pixel) + sample<T>(src + at, be)));
  }
}

/** Whole vectors from the first byte of a row on, `step` bytes each; where they end. */
// @ts-ignore: decorator
@inline function vectors<T>(dst: usize, src: usize, bytes: usize, pixel: usize, step: usize, be: bool, order: v128): usize {
  if (pixel < sizeof<T>() || pixel % sizeof<T>() != 0) return pixel; // never called: no code
  let last = i32x4.splat(0), at: usize = 0;
  for (; at + 16 <= bytes; at += step) {
    let v = vecIn<T>(src + at, be, order);
    if (pixel < step) v = v128.add<T>(v, later(v, pixel));
    if (pixel * 2 < step) v = v128.add<T>(v, later(v, pixel * 2));
    if (pixel * 4 < step) v = v128.add<T>(v, later(v, pixel * 4));
    if (pixel * 8 < step) v = v128.add<T>(v, later(v, pixel * 8));
    v = v128.add<T>(v, last);
    v128.store(dst + at, v);
    last = repeated(v, pixel);
  }
  return at;
}

/** Zeros, then `v` as far as there is room: a shuffle of two vectors is one shift of bytes, a swizzle of one is three steps. */
// @ts-ignore: decorator
@inline function later(v: v128, bytes: usize): v128 {
  const z = i32x4.splat(0);
  if (bytes == 1) return i8x16.shuffle(z, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  if (bytes == 2) return i8x16.shuffle(z, v, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  if (bytes == 3) return i8x16.shuffle(z, v, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
  if (bytes == 4) return i8x16.shuffle(z, v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
  if (bytes == 6) return i8x16.shuffle(z, v, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25);
  if (bytes == 8) return i8x16.shuffle(z, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
  return i8x16.shuffle(z, v, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
}

/** The last pixel of `v` (of its first 15 or 12 bytes) again and again. */
// @ts-ignore: decorator
@inline function repeated(v: v128, pixel: usize): v128 {
  if (pixel == 1) return i8x16.swizzle(v, i8x16.splat(15));
  if (pixel == 2) return i8x16.swizzle(v, i8x16(14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15));
  if (pixel == 3) return i8x16.swizzle(v, i8x16(12, 13, 14, 12, 13, 14, 12, 13, 14, 12, 13, 14, 12, 13, 14, 12));
  if (pixel == 4) return i8x16.swizzle(v, i8x16(12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15));
  if (pixel == 6) return i8x16.swizzle(v, i8x16(6, 7, 8, 9, 10, 11, 6, 7, 8, 9, 10, 11, 6, 7, 8, 9));
  if (pixel == 8) return i8x16.swizzle(v, i8x16(8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15));
  return v;
}
