// dot_i16, dot_f32, dot_f64: products of frames with masks, out[f][m] += sum over p of data[f][p] * masks[m][p].
//
//   for masks in groups of 3: for frames in groups of 4: for p: 12 products from 7 loads
//
// 12 accumulators, 3 vectors of masks and one of samples are the 16 registers that V8 uses. Masks are cut into pieces that
// stay in the L1 cache while all frames pass by.
//
// dot_i16: samples of 8 and 16 bits with masks of 16 bits, exact. Products are added in pairs to 32-bit lanes; `flush`
//   says how many vectors a lane can take. u16 with its highest bit in use is moved into the range of i16 by flipping
//   that bit, and 32768 * sum(mask) is added back.
// dot_f32: f32 lanes, sample i of a row in lane i mod 4, at most 1024 samples of a row; these partial sums are folded
//   (l0 + l2) + (l1 + l3) in f64 and added to out row by row, so that frames may come in parts of whole rows.
// dot_f64: the same in f64, with two lanes.

import { sample } from "./vectors";
import { f32x4At, f64x2At, lanes16, someF32 } from "./widen";

const FRAMES: i32 = 4;
const MASKS: i32 = 3;
const PIECE: i32 = 1024;

// ---- dot_i16 ----

// @ts-ignore: decorator
@inline export function dotI16<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, flush: i32, be: bool): void {
  const pixels = rows * rowLength, body = pixels & ~7;
  const piece = max(8, min(PIECE, flush * 8));
  const flips = sizeof<T>() == 2 && !isSigned<T>() && usesHighBit<T>(data, frames, frameStride, body, be);
  const flip = i16x8.splat(flips ? -32768 : 0);
  for (let from = 0; from < body; from += piece) {
    const n = min(piece, body - from);
    const samples = data + <usize>from * sizeof<T>(), weights = masks + (<usize>from << 1);
    let m = 0;
    for (; m + MASKS <= maskCount; m += MASKS) {
      exactFrames<T>(out + (<usize>m << 3), outStride, samples, frames, frameStride, weights + <usize>m * maskStride, maskStride, n, flip, MASKS, be);
    }
    for (; m < maskCount; m++) {
      exactFrames<T>(out + (<usize>m << 3), outStride, samples, frames, frameStride, weights + <usize>m * maskStride, maskStride, n, flip, 1, be);
    }
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

// @ts-ignore: decorator
@inline function exactFrames<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskStride: usize, n: i32, flip: v128, nm: i32, be: bool): void {
  let f = 0;
  for (; f + FRAMES <= frames; f += FRAMES) {
    exactBlock<T>(out + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, masks, maskStride, n, flip, FRAMES, nm, be);
  }
  for (; f < frames; f++) {
    exactBlock<T>(out + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, masks, maskStride, n, flip, 1, nm, be);
  }
}

// @ts-ignore: decorator
@inline function flipped<T>(v: v128, flip: v128): v128 {
  return sizeof<T>() == 2 && !isSigned<T>() ? v128.xor(v, flip) : v;
}

/** Whether any of the samples is 2^15 or more. */
// @ts-ignore: decorator
@inline function usesHighBit<T>(data: usize, frames: i32, frameStride: usize, n: i32, be: bool): bool {
  let all = i16x8.splat(0);
  for (let f = 0; f < frames; f++, data += frameStride) {
    for (let p = 0; p < n; p += 8) all = v128.or(all, v128.load(data + (<usize>p << 1)));
  }
  return v128.any_true(v128.and(all, i16x8.splat(be ? 0x0080 : -32768)));
}

// @ts-ignore: decorator
@inline function maskSum(masks: usize, n: i32): i64 {
  let sum: i64 = 0;
  for (let from = 0; from < n; from += PIECE) {
    const stop = min(n, from + PIECE);
    let acc = i32x4.splat(0);
    for (let p = from; p < stop; p += 8) acc = i32x4.add(acc, i32x4.extadd_pairwise_i16x8_s(v128.load(masks + (<usize>p << 1))));
    sum += horizontal(acc);
  }
  return sum;
}

// @ts-ignore: decorator
@inline function horizontal(v: v128): i64 {
  const wide = i64x2.add(i64x2.extend_low_i32x4_s(v), i64x2.extend_high_i32x4_s(v));
  return i64x2.extract_lane(wide, 0) + i64x2.extract_lane(wide, 1);
}

// @ts-ignore: decorator
@inline function addExact(out: usize, sums: v128, offset: usize): void {
  store<f64>(out + offset, load<f64>(out + offset) + <f64>horizontal(sums));
}

/** `n` samples, a multiple of 8, of up to 4 frames with up to 3 masks. `flip` moves u16 into the range of i16. */
// @ts-ignore: decorator
@inline function exactBlock<T>(out: usize, outStride: usize, data: usize, frameStride: usize, masks: usize, maskStride: usize, n: i32, flip: v128, nf: i32, nm: i32, be: bool): void {
  const zero = i32x4.splat(0);
  let a00 = zero, a01 = zero, a02 = zero;
  let a10 = zero, a11 = zero, a12 = zero;
  let a20 = zero, a21 = zero, a22 = zero;
  let a30 = zero, a31 = zero, a32 = zero;
  for (let i = 0; i < n; i += 8) {
    const at = <usize>i;
    const m0 = v128.load(masks + (at << 1));
    const m1 = nm > 1 ? v128.load(masks + maskStride + (at << 1)) : zero;
    const m2 = nm > 2 ? v128.load(masks + 2 * maskStride + (at << 1)) : zero;
    {
      const v = flipped<T>(lanes16<T>(data + at * sizeof<T>(), be), flip);
      a00 = i32x4.add(a00, i32x4.dot_i16x8_s(v, m0));
      if (nm > 1) a01 = i32x4.add(a01, i32x4.dot_i16x8_s(v, m1));
      if (nm > 2) a02 = i32x4.add(a02, i32x4.dot_i16x8_s(v, m2));
    }
    if (nf > 1) {
      const v = flipped<T>(lanes16<T>(data + frameStride + at * sizeof<T>(), be), flip);
      a10 = i32x4.add(a10, i32x4.dot_i16x8_s(v, m0));
      if (nm > 1) a11 = i32x4.add(a11, i32x4.dot_i16x8_s(v, m1));
      if (nm > 2) a12 = i32x4.add(a12, i32x4.dot_i16x8_s(v, m2));
    }
    if (nf > 2) {
      const v = flipped<T>(lanes16<T>(data + 2 * frameStride + at * sizeof<T>(), be), flip);
      a20 = i32x4.add(a20, i32x4.dot_i16x8_s(v, m0));
      if (nm > 1) a21 = i32x4.add(a21, i32x4.dot_i16x8_s(v, m1));
      if (nm > 2) a22 = i32x4.add(a22, i32x4.dot_i16x8_s(v, m2));
    }
    if (nf > 3) {
      const v = flipped<T>(lanes16<T>(data + 3 * frameStride + at * sizeof<T>(), be), flip);
      a30 = i32x4.add(a30, i32x4.dot_i16x8_s(v, m0));
      if (nm > 1) a31 = i32x4.add(a31, i32x4.dot_i16x8_s(v, m1));
      if (nm > 2) a32 = i32x4.add(a32, i32x4.dot_i16x8_s(v, m2));
    }
  }
  addExact(out, a00, 0);
  if (nm > 1) addExact(out, a01, 8);
  if (nm > 2) addExact(out, a02, 16);
  if (nf > 1) addExact(out + outStride, a10, 0);
  if (nf > 1 && nm > 1) addExact(out + outStride, a11, 8);
  if (nf > 1 && nm > 2) addExact(out + outStride, a12, 16);
  if (nf > 2) addExact(out + 2 * outStride, a20, 0);
  if (nf > 2 && nm > 1) addExact(out + 2 * outStride, a21, 8);
  if (nf > 2 && nm > 2) addExact(out + 2 * outStride, a22, 16);
  if (nf > 3) addExact(out + 3 * outStride, a30, 0);
  if (nf > 3 && nm > 1) addExact(out + 3 * outStride, a31, 8);
  if (nf > 3 && nm > 2) addExact(out + 3 * outStride, a32, 16);
}

// ---- dot_f32 ----

// @ts-ignore: decorator
@inline export function dotF32<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, be: bool): void {
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < rowLength; from += PIECE) {
      const n = min(PIECE, rowLength - from), p = <usize>(row * rowLength + from);
      const samples = data + p * sizeof<T>(), weights = masks + (p << 2);
      let m = 0;
      for (; m + MASKS <= maskCount; m += MASKS) {
        singleFrames<T>(out + (<usize>m << 3), outStride, samples, frames, frameStride, weights + <usize>m * maskStride, maskStride, n, MASKS, be);
      }
      for (; m < maskCount; m++) {
        singleFrames<T>(out + (<usize>m << 3), outStride, samples, frames, frameStride, weights + <usize>m * maskStride, maskStride, n, 1, be);
      }
    }
  }
}

// @ts-ignore: decorator
@inline function singleFrames<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskStride: usize, n: i32, nm: i32, be: bool): void {
  const body = n & ~3, rest = n & 3;
  let f = 0;
  for (; f + FRAMES <= frames; f += FRAMES) {
    singleBlock<T>(out + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, masks, maskStride, body, rest, FRAMES, nm, be);
  }
  for (; f < frames; f++) {
    singleBlock<T>(out + <usize>f * outStride, outStride, data + <usize>f * frameStride, frameStride, masks, maskStride, body, rest, 1, nm, be);
  }
}

// @ts-ignore: decorator
@inline function addSingle(out: usize, lanes: v128, offset: usize): void {
  const folded = f64x2.add(f64x2.promote_low_f32x4(lanes), f64x2.promote_low_f32x4(i64x2.shuffle(lanes, lanes, 1, 1)));
  store<f64>(out + offset, load<f64>(out + offset) + (f64x2.extract_lane(folded, 0) + f64x2.extract_lane(folded, 1)));
}

/** `n` samples, a multiple of 4, of up to 4 frames with up to 3 masks, and `rest` < 4 more. */
// @ts-ignore: decorator
@inline function singleBlock<T>(out: usize, outStride: usize, data: usize, frameStride: usize, masks: usize, maskStride: usize, n: i32, rest: i32, nf: i32, nm: i32, be: bool): void {
  const zero = f32x4.splat(0);
  let a00 = zero, a01 = zero, a02 = zero;
  let a10 = zero, a11 = zero, a12 = zero;
  let a20 = zero, a21 = zero, a22 = zero;
  let a30 = zero, a31 = zero, a32 = zero;
  for (let i = 0; i < n; i += 4) {
    const at = <usize>i;
    const m0 = v128.load(masks + (at << 2));
    const m1 = nm > 1 ? v128.load(masks + maskStride + (at << 2)) : zero;
    const m2 = nm > 2 ? v128.load(masks + 2 * maskStride + (at << 2)) : zero;
    {
      const v = f32x4At<T>(data + at * sizeof<T>(), be);
      a00 = f32x4.add(a00, f32x4.mul(v, m0));
      if (nm > 1) a01 = f32x4.add(a01, f32x4.mul(v, m1));
      if (nm > 2) a02 = f32x4.add(a02, f32x4.mul(v, m2));
    }
    if (nf > 1) {
      const v = f32x4At<T>(data + frameStride + at * sizeof<T>(), be);
      a10 = f32x4.add(a10, f32x4.mul(v, m0));
      if (nm > 1) a11 = f32x4.add(a11, f32x4.mul(v, m1));
      if (nm > 2) a12 = f32x4.add(a12, f32x4.mul(v, m2));
    }
    if (nf > 2) {
      const v = f32x4At<T>(data + 2 * frameStride + at * sizeof<T>(), be);
      a20 = f32x4.add(a20, f32x4.mul(v, m0));
      if (nm > 1) a21 = f32x4.add(a21, f32x4.mul(v, m1));
      if (nm > 2) a22 = f32x4.add(a22, f32x4.mul(v, m2));
    }
    if (nf > 3) {
      const v = f32x4At<T>(data + 3 * frameStride + at * sizeof<T>(), be);
      a30 = f32x4.add(a30, f32x4.mul(v, m0));
      if (nm > 1) a31 = f32x4.add(a31, f32x4.mul(v, m1));
      if (nm > 2) a32 = f32x4.add(a32, f32x4.mul(v, m2));
    }
  }
  if (rest) {
    const at = <usize>n;
    const m0 = someF32<f32>(masks + (at << 2), rest, false);
    const m1 = nm > 1 ? someF32<f32>(masks + maskStride + (at << 2), rest, false) : zero;
    const m2 = nm > 2 ? someF32<f32>(masks + 2 * maskStride + (at << 2), rest, false) : zero;
    {
      const v = someF32<T>(data + at * sizeof<T>(), rest, be);
      a00 = f32x4.add(a00, f32x4.mul(v, m0));
      if (nm > 1) a01 = f32x4.add(a01, f32x4.mul(v, m1));
      if (nm > 2) a02 = f32x4.add(a02, f32x4.mul(v, m2));
    }
    if (nf > 1) {
      const v = someF32<T>(data + frameStride + at * sizeof<T>(), rest, be);
      a10 = f32x4.add(a10, f32x4.mul(v, m0));
      if (nm > 1) a11 = f32x4.add(a11, f32x4.mul(v, m1));
      if (nm > 2) a12 = f32x4.add(a12, f32x4.mul(v, m2));
    }
    if (nf > 2) {
      const v = someF32<T>(data + 2 * frameStride + at * sizeof<T>(), rest, be);
      a20 = f32x4.add(a20, f32x4.mul(v, m0));
      if (nm > 1) a21 = f32x4.add(a21, f32x4.mul(v, m1));
      if (nm > 2) a22 = f32x4.add(a22, f32x4.mul(v, m2));
    }
    if (nf > 3) {
      const v = someF32<T>(data + 3 * frameStride + at * sizeof<T>(), rest, be);
      a30 = f32x4.add(a30, f32x4.mul(v, m0));
      if (nm > 1) a31 = f32x4.add(a31, f32x4.mul(v, m1));
      if (nm > 2) a32 = f32x4.add(a32, f32x4.mul(v, m2));
    }
  }
  addSingle(out, a00, 0);
  if (nm > 1) addSingle(out, a01, 8);
  if (nm > 2) addSingle(out, a02, 16);
  if (nf > 1) addSingle(out + outStride, a10, 0);
  if (nf > 1 && nm > 1) addSingle(out + outStride, a11, 8);
  if (nf > 1 && nm > 2) addSingle(out + outStride, a12, 16);
  if (nf > 2) addSingle(out + 2 * outStride, a20, 0);
  if (nf > 2 && nm > 1) addSingle(out + 2 * outStride, a21, 8);
  if (nf > 2 && nm > 2) addSingle(out + 2 * outStride, a22, 16);
  if (nf > 3) addSingle(out + 3 * outStride, a30, 0);
  if (nf > 3 && nm > 1) addSingle(out + 3 * outStride, a31, 8);
  if (nf > 3 && nm > 2) addSingle(out + 3 * outStride, a32, 16);
}

// ---- dot_f64 ----

// @ts-ignore: decorator
@inline export function dotF64<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32, be: bool): void {
  const body = rowLength & ~1, rest = (rowLength & 1) != 0;
  for (let row = 0; row < rows; row++) {
    const p = <usize>(row * rowLength);
    for (let m = 0; m < maskCount; m++) {
      const at = out + (<usize>m << 3), weights = masks + <usize>m * maskStride + (p << 3);
      const samples = data + p * sizeof<T>();
      let f = 0;
      for (; f + FRAMES <= frames; f += FRAMES) {
        doubleBlock<T>(at + <usize>f * outStride, outStride, samples + <usize>f * frameStride, frameStride, weights, body, rest, FRAMES, be);
      }
      for (; f < frames; f++) {
        doubleBlock<T>(at + <usize>f * outStride, outStride, samples + <usize>f * frameStride, frameStride, weights, body, rest, 1, be);
      }
    }
  }
}

// @ts-ignore: decorator
@inline function addDouble(out: usize, lanes: v128, offset: usize): void {
  store<f64>(out + offset, load<f64>(out + offset) + (f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)));
}

/** `n` samples, a multiple of 2, of up to 4 frames with one mask, and maybe one more. */
// @ts-ignore: decorator
@inline function doubleBlock<T>(out: usize, outStride: usize, data: usize, frameStride: usize, masks: usize, n: i32, rest: bool, nf: i32, be: bool): void {
  const zero = f64x2.splat(0);
  let a00 = zero;
  let a10 = zero;
  let a20 = zero;
  let a30 = zero;
  for (let i = 0; i < n; i += 2) {
    const at = <usize>i;
    const m0 = v128.load(masks + (at << 3));
    {
      const v = f64x2At<T>(data + at * sizeof<T>(), be);
      a00 = f64x2.add(a00, f64x2.mul(v, m0));
    }
    if (nf > 1) {
      const v = f64x2At<T>(data + frameStride + at * sizeof<T>(), be);
      a10 = f64x2.add(a10, f64x2.mul(v, m0));
    }
    if (nf > 2) {
      const v = f64x2At<T>(data + 2 * frameStride + at * sizeof<T>(), be);
      a20 = f64x2.add(a20, f64x2.mul(v, m0));
    }
    if (nf > 3) {
      const v = f64x2At<T>(data + 3 * frameStride + at * sizeof<T>(), be);
      a30 = f64x2.add(a30, f64x2.mul(v, m0));
    }
  }
  if (rest) {
    const at = <usize>n;
    const m = load<f64>(masks + (at << 3));
    a00 = f64x2.add(a00, f64x2(<f64>sample<T>(data + at * sizeof<T>(), be) * m, -0.0));
    if (nf > 1) a10 = f64x2.add(a10, f64x2(<f64>sample<T>(data + frameStride + at * sizeof<T>(), be) * m, -0.0));
    if (nf > 2) a20 = f64x2.add(a20, f64x2(<f64>sample<T>(data + 2 * frameStride + at * sizeof<T>(), be) * m, -0.0));
    if (nf > 3) a30 = f64x2.add(a30, f64x2(<f64>sample<T>(data + 3 * frameStride + at * sizeof<T>(), be) * m, -0.0));
  }
  addDouble(out, a00, 0);
  if (nf > 1) addDouble(out + outStride, a10, 0);
  if (nf > 2) addDouble(out + 2 * outStride, a20, 0);
  if (nf > 3) addDouble(out + 3 * outStride, a30, 0);
}
