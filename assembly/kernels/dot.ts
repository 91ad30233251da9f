// dot_i16, dot_f32, dot_f64: products of frames with masks, out[f][m] += sum over p of data[f][p] * masks[m][p].
//
//   for pieces of the frame: for frames in groups of 2: for masks in groups of 4: for p: 8 products from 6 loads
//
// The inner loops, blocks of accumulators that stay in registers, are written by ../dot_blocks.ts. A piece of a pair of
// frames stays in the L1 cache while the masks pass by; pieces of masks stay in the L2 cache, if their stride is no
// multiple of a large power of two, which would give all of them the same places there.
//
// dot_i16: samples of 8 and 16 bits with masks of 16 bits, exact. Products are added in pairs to 32-bit lanes; `flush`
//   says how many vectors a lane can take. u16 with its highest bit in use is moved into the range of i16 by flipping
//   that bit, and 32768 * sum(mask) is added back.
// dot_f32: f32 lanes, sample i of a row in lane i mod 4, at most 1024 samples of a row; these partial sums are folded
//   (l0 + l2) + (l1 + l3) in f64 and added to out row by row, so that frames may come in parts of whole rows.
// dot_f64: the same in f64, with two lanes.

import { double1x1, double1x4, double2x4, double4x1, exact1x1, exact1x4, exact2x4, exact4x1, single1x1, single1x4, single2x4, single4x1 } from "./dot_blocks";
import { horizontal } from "./dot_lanes";
import { sample } from "./vectors";

const PIECE: i32 = 1024;

// ---- dot_i16 ----

// @ts-ignore: decorator
@inline export function dotI16<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, flush: i32, be: bool): void {
  const pixels = rows * rowLength, body = pixels & ~7;
  const piece = max(8, min(PIECE, min(flush, PIECE) * 8));
  const flips = sizeof<T>() == 2 && !isSigned<T>() && usesHighBit<T>(data, frames, frameStride, body, be);
  const flip = i16x8.splat(flips ? -32768 : 0);
  for (let from = 0; from < body; from += piece) {
    const n = min(piece, body - from);
    const samples = data + <usize>from * sizeof<T>(), weights = masks + (<usize>from << 1);
    exactPiece<T>(out, outStride, samples, frames, frameStride, weights, maskCount, maskStride, n, flip, be);
  }
  for (let m = 0; m < maskCount; m++) {
    const weights = masks + <usize>m * maskStride;
    const back: i64 = flips ? 32768 * maskSum(weights, body) : 0;
    for (let f = 0; f < frames; f++) {
      let sum = back;
      for (let p = body; p < pixels; p++) {
        sum += <i64>sample<T>(data + <usize>f * frameStride + <usize>p * sizeof<T>(), be) * <i64>load<i16>(weights + (<usize>p << 1));
      }
      const at = out + <usize>f * outStride + (<usize>m << 3);
      store<f64>(at, load<f64>(at) + <f64>sum);
    }
  }
}

/** A piece of all frames with a piece of all masks: a pair of frames stays in the L1 cache while the masks pass by. */
// @ts-ignore: decorator
@inline function exactPiece<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, n: i32, flip: v128, be: bool): void {
  const whole = maskCount & ~3;
  let f = 0;
  for (; f + 2 <= frames; f += 2) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) exact2x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n, 0, flip, be);
  }
  if (f < frames) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) exact1x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n, 0, flip, be);
  }
  for (let m = whole; m < maskCount; m++) {
    const to = out + (<usize>m << 3), weights = masks + <usize>m * maskStride;
    f = 0;
    for (; f + 4 <= frames; f += 4) exact4x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n, 0, flip, be);
    for (; f < frames; f++) exact1x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n, 0, flip, be);
  }
}

/** Whether any of the samples is 2^15 or more; `n` is a multiple of 8. Frames after the first such one are not read. */
// @ts-ignore: decorator
@inline function usesHighBit<T>(data: usize, frames: i32, frameStride: usize, n: i32, be: bool): bool {
  const bit = i16x8.splat(be ? 0x0080 : -32768), bytes = <usize>n << 1;
  for (let f = 0; f < frames; f++, data += frameStride) {
    let a = i16x8.splat(0), b = a, p: usize = 0;
    for (; p + 64 <= bytes; p += 64) {
      a = v128.or(a, v128.or(v128.load(data + p), v128.load(data + p, 16)));
      b = v128.or(b, v128.or(v128.load(data + p, 32), v128.load(data + p, 48)));
    }
    for (; p < bytes; p += 16) a = v128.or(a, v128.load(data + p));
    if (v128.any_true(v128.and(v128.or(a, b), bit))) return true;
  }
  return false;
}

/** The sum of `n` weights, a multiple of 8. */
// @ts-ignore: decorator
@inline function maskSum(masks: usize, n: i32): i64 {
  const one = i16x8.splat(1), bytes = <usize>n << 1;
  let sum: i64 = 0, p: usize = 0;
  while (p < bytes) {
    const stop = min(bytes, p + (1 << 16));
    let a = i32x4.splat(0), b = a;
    for (; p + 32 <= stop; p += 32) {
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(masks + p), one));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(masks + p, 16), one));
    }
    for (; p < stop; p += 16) a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(masks + p), one));
    sum += horizontal(i32x4.add(a, b));
  }
  return sum;
}

// ---- dot_f32 ----

// @ts-ignore: decorator
@inline export function dotF32<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, be: bool): void {
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < rowLength; from += PIECE) {
      const n = min(PIECE, rowLength - from), p = <usize>(row * rowLength + from);
      singlePiece<T>(out, outStride, data + p * sizeof<T>(), frames, frameStride, masks + (p << 2), maskCount, maskStride, n, be);
    }
  }
}

/** A piece of all frames with a piece of all masks: as for exact products. */
// @ts-ignore: decorator
@inline function singlePiece<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, n: i32, be: bool): void {
  const whole = maskCount & ~3;
  let f = 0;
  for (; f + 2 <= frames; f += 2) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) single2x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n & ~3, n & 3, i32x4.splat(0), be);
  }
  if (f < frames) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) single1x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n & ~3, n & 3, i32x4.splat(0), be);
  }
  for (let m = whole; m < maskCount; m++) {
    const to = out + (<usize>m << 3), weights = masks + <usize>m * maskStride;
    f = 0;
    for (; f + 4 <= frames; f += 4) single4x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n & ~3, n & 3, i32x4.splat(0), be);
    for (; f < frames; f++) single1x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n & ~3, n & 3, i32x4.splat(0), be);
  }
}

// ---- dot_f64 ----

// @ts-ignore: decorator
@inline export function dotF64<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, be: bool): void {
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < rowLength; from += PIECE) {
      const n = min(PIECE, rowLength - from), p = <usize>(row * rowLength + from);
      doublePiece<T>(out, outStride, data + p * sizeof<T>(), frames, frameStride, masks + (p << 3), maskCount, maskStride, n, be);
    }
  }
}

/** A piece of all frames with a piece of all masks: as for exact products. */
// @ts-ignore: decorator
@inline function doublePiece<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, n: i32, be: bool): void {
  const whole = maskCount & ~3;
  let f = 0;
  for (; f + 2 <= frames; f += 2) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) double2x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n & ~1, n & 1, i32x4.splat(0), be);
  }
  if (f < frames) {
    const to = out + <usize>f * outStride, samples = data + <usize>f * frameStride;
    for (let m = 0; m < whole; m += 4) double1x4<T>(to + (<usize>m << 3), outStride, samples, frameStride, masks + <usize>m * maskStride, maskStride, n & ~1, n & 1, i32x4.splat(0), be);
  }
  for (let m = whole; m < maskCount; m++) {
    const to = out + (<usize>m << 3), weights = masks + <usize>m * maskStride;
    f = 0;
    for (; f + 4 <= frames; f += 4) double4x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n & ~1, n & 1, i32x4.splat(0), be);
    for (; f < frames; f++) double1x1<T>(to + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, weights, maskStride, n & ~1, n & 1, i32x4.splat(0), be);
  }
}
