// correct_f32, correct_f64: dst = (x - dark) * gain per pixel, samples of any type to floats.
// patch: dead pixels become the mean of their good neighbours.
//
//   for every frame f, pixel p: dst[f][p] = (D(x[f][p]) - dark[p]) * gain[p]     (address 0: no dark, no gain)
//
// Two rounded operations a sample, in the type D of the result. One vector of the result at a time; dark and gain stay
// in the cache from frame to frame.

import { orderOf, sample } from "./vectors";
import { f32x4In, f64x2In } from "./widen";

// @ts-ignore: decorator
@inline export function correctF32<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, frames: i32, dark: usize, gain: usize, pixels: i32, be: bool): void {
  const body = pixels & ~3, order = orderOf<T>(pixels);
  for (let f = 0; f < frames; f++, dst += dstStride, src += srcStride) {
    for (let p = 0; p < body; p += 4) {
      let v = f32x4In<T>(src + <usize>p * sizeof<T>(), be, order);
      if (dark) v = f32x4.sub(v, v128.load(dark + (<usize>p << 2)));
      if (gain) v = f32x4.mul(v, v128.load(gain + (<usize>p << 2)));
      v128.store(dst + (<usize>p << 2), v);
    }
    for (let p = body; p < pixels; p++) {
      let v = <f32>sample<T>(src + <usize>p * sizeof<T>(), be);
      if (dark) v -= load<f32>(dark + (<usize>p << 2));
      if (gain) v *= load<f32>(gain + (<usize>p << 2));
      store<f32>(dst + (<usize>p << 2), v);
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
