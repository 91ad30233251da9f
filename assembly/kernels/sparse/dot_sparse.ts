// dot_sparse: products of frames with masks that are mostly zero, out[f][m] += sum over e of data[f][indices[e]] * weights[e].
//
//   for every mask: for frames in groups of 4: for every entry e of the mask in this part of the frame: 4 products
//
// Everything in f64, an entry after the other from what out holds: bits do not depend on how frames come in parts, and
// sums of integers are exact. Four frames at a time hide the latency of the additions.

import { sample } from "../vectors";

// @ts-ignore: decorator
@inline export function dotSparse<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, first: i32, ranges: usize, indices: usize, weights: usize, maskCount: i32, be: bool): void {
  for (let m = 0; m < maskCount; m++, ranges += 8, out += 8) {
    const from = <usize>load<i32>(ranges), to = <usize>load<i32>(ranges, 4);
    let at = out, frame = data, f = 0;
    for (; f + 4 <= frames; f += 4, at += 4 * outStride, frame += 4 * frameStride) {
      let s0 = load<f64>(at), s1 = load<f64>(at + outStride), s2 = load<f64>(at + 2 * outStride), s3 = load<f64>(at + 3 * outStride);
      for (let e = from; e < to; e++) {
        const p = frame + <usize>(load<i32>(indices + (e << 2)) - first) * sizeof<T>(), w = load<f64>(weights + (e << 3));
        s0 += <f64>sample<T>(p, be) * w;
        s1 += <f64>sample<T>(p + frameStride, be) * w;
        s2 += <f64>sample<T>(p + 2 * frameStride, be) * w;
        s3 += <f64>sample<T>(p + 3 * frameStride, be) * w;
      }
      store<f64>(at, s0); store<f64>(at + outStride, s1); store<f64>(at + 2 * outStride, s2); store<f64>(at + 3 * outStride, s3);
    }
    for (; f < frames; f++, at += outStride, frame += frameStride) {
      let s = load<f64>(at);
      for (let e = from; e < to; e++) {
        s += <f64>sample<T>(frame + <usize>(load<i32>(indices + (e << 2)) - first) * sizeof<T>(), be) * load<f64>(weights + (e << 3));
      }
      store<f64>(at, s);
    }
  }
}
