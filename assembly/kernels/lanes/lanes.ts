// Eight small images at once, one a lane: an element is 32 bytes, images 0-3 in its first vector, 4-7 in its second.
// See lanes_fft.ts for the transform between these steps.

import { logOf } from "./log_scale";
import { sample } from "../vectors";

/**
 * lanes_crop: cut-outs of `size` x `size` samples with their first sample at (y, x) = corners[i], i32 pairs, become
 * images 0 ... count-1 as f32. What lies outside of the frame is 0, and so are the other images.
 */
// @ts-ignore: decorator
@inline export function lanesCrop<T>(out: usize, size: i32, data: usize, height: i32, width: i32, corners: usize, count: i32, be: bool): void {
  memory.fill(out, 0, <usize>(size * size) << 5);
  for (let i = 0; i < count; i++, out += 4, corners += 8) {
    const y0 = load<i32>(corners), x0 = load<i32>(corners, 4);
    const top = max(0, -y0), bottom = min(size, height - y0), left = max(0, -x0), right = min(size, width - x0);
    for (let y = top; y < bottom; y++) {
      let to = out + (<usize>(y * size + left) << 5), from = data + (<usize>(y0 + y) * <usize>width + <usize>(x0 + left)) * sizeof<T>();
      for (let x = left; x < right; x++, to += 32, from += sizeof<T>()) store<f32>(to, <f32>sample<T>(from, be));
    }
  }
}

/**
 * lanes_crop_low: as lanes_crop, each image less its lowest sample (which is 0 or lower where it leaves the frame), computed
 * in f64: f32 has no room for a large offset.
 */
// @ts-ignore: decorator
@inline export function lanesCropLow<T>(out: usize, size: i32, data: usize, height: i32, width: i32, corners: usize, count: i32, be: bool): void {
  memory.fill(out, 0, <usize>(size * size) << 5);
  for (let i = 0; i < count; i++, out += 4, corners += 8) {
    const y0 = load<i32>(corners), x0 = load<i32>(corners, 4);
    const top = max(0, -y0), bottom = min(size, height - y0), left = max(0, -x0), right = min(size, width - x0);
    const isCut = top > 0 || bottom < size || left > 0 || right < size;
    let least: f64 = isCut ? 0 : Infinity;
    for (let y = top; y < bottom; y++) {
      let from = data + (<usize>(y0 + y) * <usize>width + <usize>(x0 + left)) * sizeof<T>();
      for (let x = left; x < right; x++, from += sizeof<T>()) {
        const v = <f64>sample<T>(from, be);
        if (v < least) least = v;
      }
    }
    if (isCut && least < 0) {
      for (let e = 0; e < size * size; e++) store<f32>(out + (<usize>e << 5), <f32>(0 - least));
    }
    for (let y = top; y < bottom; y++) {
      let to = out + (<usize>(y * size + left) << 5), from = data + (<usize>(y0 + y) * <usize>width + <usize>(x0 + left)) * sizeof<T>();
      for (let x = left; x < right; x++, to += 32, from += sizeof<T>()) store<f32>(to, <f32>(<f64>sample<T>(from, be) - least));
    }
  }
}

/**
 * lanes_log: every image x becomes log(x - min x + 1), or stays x where `log` is 0. `most` gets, for each image, the
 * difference of the largest of them to the smallest: 0 for a constant image, NaN for one with a NaN or an infinity in it,
 * which becomes 0 everywhere so that it cannot spoil its neighbour.
 */
// @ts-ignore: decorator
@inline export function lanesLog<T>(data: usize, most: usize, elements: i32, log: i32): void {
  logHalf(data, most, elements, log);
  logHalf(data + 16, most + 16, elements, log);
}

function logHalf(data: usize, most: usize, elements: i32, log: i32): void {
  let least = f32x4.splat(Infinity), top = f32x4.splat(-Infinity), wild = f32x4.splat(0);
  for (let i = 0, at = data; i < elements; i++, at += 32) {
    const v = v128.load(at);
    least = f32x4.pmin(least, v);
    top = f32x4.pmax(top, v);
    wild = f32x4.add(wild, f32x4.mul(v, f32x4.splat(0))); // 0 or, for ever, NaN
  }
  const fine = f32x4.eq(wild, wild), one = f32x4.splat(1);
  let range = f32x4.sub(top, least);
  if (log) {
    range = logOf(f32x4.add(range, one));
    for (let i = 0, at = data; i < elements; i++, at += 32) {
      v128.store(at, v128.and(logOf(f32x4.add(f32x4.sub(v128.load(at), least), one)), fine));
    }
  } else if (!i32x4.all_true(fine)) {
    for (let i = 0, at = data; i < elements; i++, at += 32) v128.store(at, v128.and(v128.load(at), fine));
  }
  v128.store(most, v128.bitselect(range, f32x4.splat(NaN), fine));
}

/** lanes_multiply: each element, as four complex numbers, times the pair (re, im) of f32 that belongs to it. */
// @ts-ignore: decorator
@inline export function lanesMultiply<T>(data: usize, factors: usize, elements: i32): void {
  for (let i = 0; i < elements; i++, data += 32, factors += 8) {
    const c = v128.load32_splat(factors), s = v128.load32_splat(factors, 4), r = v128.load(data), m = v128.load(data, 16);
    v128.store(data, f32x4.sub(f32x4.mul(r, c), f32x4.mul(m, s)));
    v128.store(data, f32x4.add(f32x4.mul(r, s), f32x4.mul(m, c)), 16);
  }
}

/**
 * lanes_correlate: out[y][x] = sum of weights[i] * data[y + dy_i][x + dx_i] over `count` weights, for `size` x `size`
 * elements; `taps` lists, as i32, the distance in elements dy * pitch + dx of each.
 */
// @ts-ignore: decorator
@inline export function lanesCorrelate<T>(out: usize, size: i32, data: usize, pitch: i32, taps: usize, weights: usize, count: i32): void {
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++, out += 32) {
      const from = data + (<usize>(y * pitch + x) << 5);
      let a = f32x4.splat(0), b = a;
      for (let i = 0; i < count; i++) {
        const at = from + (<usize>load<i32>(taps + (<usize>i << 2)) << 5), w = v128.load32_splat(weights + (<usize>i << 2));
        a = f32x4.add(a, f32x4.mul(w, v128.load(at)));
        b = f32x4.add(b, f32x4.mul(w, v128.load(at, 16)));
      }
      v128.store(out, a);
      v128.store(out, b, 16);
    }
  }
}
