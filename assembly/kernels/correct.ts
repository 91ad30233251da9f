// correct_f32, correct_f64: dst = (x - dark) * gain per pixel, samples of any type to floats.
// patch: dead pixels become the mean of their good neighbours.
//
//   for every frame f, pixel p: dst[f][p] = (D(x[f][p]) - dark[p]) * gain[p]     (address 0: no dark, no gain)
//
// Two rounded operations a sample, in the type D of the result. Four frames a pass: dark and gain are loaded once for them.
// Without dark 0 is subtracted, without gain 1 multiplied: neither changes a sample.

import { orderOf, sample } from "./vectors";
import { f32x4In, f64x2In } from "./widen";

const PASS: i32 = 4;

// @ts-ignore: decorator
@inline export function correctF32<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, frames: i32, dark: usize, gain: usize, pixels: i32, be: bool): void {
  let f = 0;
  for (; f + PASS <= frames; f += PASS) correctFrames<T>(dst + <usize>f * dstStride, dstStride, src + <usize>f * srcStride, srcStride, dark, gain, pixels, PASS, be);
  for (; f < frames; f++) correctFrames<T>(dst + <usize>f * dstStride, dstStride, src + <usize>f * srcStride, srcStride, dark, gain, pixels, 1, be);
}

// @ts-ignore: decorator
@inline function correctFrames<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, dark: usize, gain: usize, pixels: i32, frames: i32, be: bool): void {
  const body = pixels & ~3, order = orderOf<T>(pixels);
  for (let p = 0; p < body; p += 4) {
    const at = <usize>p << 2, from = src + <usize>p * sizeof<T>();
    const d = dark ? v128.load(dark + at) : f32x4.splat(0), g = gain ? v128.load(gain + at) : f32x4.splat(1);
    v128.store(dst + at, f32x4.mul(f32x4.sub(f32x4In<T>(from, be, order), d), g));
    if (frames > 1) {
      v128.store(dst + dstStride + at, f32x4.mul(f32x4.sub(f32x4In<T>(from + srcStride, be, order), d), g));
      v128.store(dst + 2 * dstStride + at, f32x4.mul(f32x4.sub(f32x4In<T>(from + 2 * srcStride, be, order), d), g));
      v128.store(dst + 3 * dstStride + at, f32x4.mul(f32x4.sub(f32x4In<T>(from + 3 * srcStride, be, order), d), g));
    }
  }
  for (let p = body; p < pixels; p++) {
    const d: f32 = dark ? load<f32>(dark + (<usize>p << 2)) : 0, g: f32 = gain ? load<f32>(gain + (<usize>p << 2)) : 1;
    for (let f = 0; f < frames; f++) {
      const x = <f32>sample<T>(src + <usize>f * srcStride + <usize>p * sizeof<T>(), be);
      store<f32>(dst + <usize>f * dstStride + (<usize>p << 2), (x - d) * g);
    }
  }
}

// @ts-ignore: decorator
@inline export function correctF64<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, frames: i32, dark: usize, gain: usize, pixels: i32, be: bool): void {
  const body = pixels & ~1, order = orderOf<T>(pixels);
  for (let f = 0; f < frames; f++, dst += dstStride, src += srcStride) {
    for (let p = 0; p < body; p += 2) {
      let v = f64x2In<T>(src + <usize>p * sizeof<T>(), be, order);
      if (dark) v = f64x2.sub(v, v128.load(dark + (<usize>p << 3)));
      if (gain) v = f64x2.mul(v, v128.load(gain + (<usize>p << 3)));
      v128.store(dst + (<usize>p << 3), v);
    }
    for (let p = body; p < pixels; p++) {
      let v = <f64>sample<T>(src + <usize>p * sizeof<T>(), be);
      if (dark) v -= load<f64>(dark + (<usize>p << 3));
      if (gain) v *= load<f64>(gain + (<usize>p << 3));
      store<f64>(dst + (<usize>p << 3), v);
    }
  }
}

// The plan of a patch: for each of `count` pixels its number, the number of its neighbours, and the neighbours.

// @ts-ignore: decorator
@inline export function patch<T>(data: usize, frameStride: usize, frames: i32, plan: usize, count: i32): void {
  for (let f = 0; f < frames; f++, data += frameStride) {
    let at = plan;
    for (let i = 0; i < count; i++) {
      const pixel = <usize>load<u32>(at), neighbours = load<i32>(at, 4);
      let sum: f64 = 0;
      at += 8;
      for (let n = 0; n < neighbours; n++, at += 4) sum += <f64>load<T>(data + <usize>load<u32>(at) * sizeof<T>());
      if (neighbours) store<T>(data + pixel * sizeof<T>(), <T>(sum / <f64>neighbours));
    }
  }
}
