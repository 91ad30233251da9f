// fold_f32, fold_f64: pixels that mirror each other in two axes, as sums and differences.
//
//   for every frame, for every run (a, b, c, d, n), for i < n: from a[i], b[-i], c[i], d[-i], the places of the
//     lower right, lower left, upper right and upper left quarter, one number to each plane:
//     0: (a + b) + (c + d)    1: (a - b) + (c - d)    2: (a + b) - (c + d)    3: (a - b) - (c - d)
//
// A function that is even or odd under both reflections needs its weights for one quarter only, and one plane. Runs say
// where they start as sample numbers; -1: there is nothing, which counts as 0. Runs follow each other in the planes.
// With one plane, a is copied and the others are not looked at.

import { orderOf, sample } from "./vectors";
import { f32x4In, f64x2In } from "./widen";

// @ts-ignore: decorator
@inline export function foldF32<T>(out: usize, outStride: usize, planeStride: usize, planes: i32, data: usize, frames: i32, frameStride: usize, runs: usize, count: i32, be: bool): void {
  fold<T, f32>(out, outStride, planeStride, planes, data, frames, frameStride, runs, count, be);
}

// @ts-ignore: decorator
@inline export function foldF64<T>(out: usize, outStride: usize, planeStride: usize, planes: i32, data: usize, frames: i32, frameStride: usize, runs: usize, count: i32, be: bool): void {
  fold<T, f64>(out, outStride, planeStride, planes, data, frames, frameStride, runs, count, be);
}

// @ts-ignore: decorator
@inline function fold<T, R>(out: usize, outStride: usize, planeStride: usize, planes: i32, data: usize, frames: i32, frameStride: usize, runs: usize, count: i32, be: bool): void {
  const order = orderOf<T>(count);
  for (let f = 0; f < frames; f++, data += frameStride, out += outStride) {
    let to = out;
    for (let run = runs, end = runs + <usize>count * 20; run < end; run += 20) {
      const a = load<i32>(run), b = load<i32>(run, 4), c = load<i32>(run, 8), d = load<i32>(run, 12), n = load<i32>(run, 16);
      if (planes == 1) copy<T, R>(to, at<T>(data, a), n, order, be);
      else quarter<T, R>(to, planeStride, at<T>(data, a), at<T>(data, b), at<T>(data, c), at<T>(data, d), n, order, be);
      to += <usize>n * sizeof<R>();
    }
  }
}

/** The address of a sample; 0 for none. */
// @ts-ignore: decorator
@inline function at<T>(data: usize, sample: i32): usize {
  return sample < 0 ? 0 : data + <usize>sample * sizeof<T>();
}

/** A vector of R from the samples from `p` on; zeros if `p` is 0. */
// @ts-ignore: decorator
@inline function forward<T, R>(p: usize, i: i32, order: v128, be: bool): v128 {
  if (!p) return i32x4.splat(0);
  const from = p + <usize>i * sizeof<T>();
  return sizeof<R>() == 4 ? f32x4In<T>(from, be, order) : f64x2In<T>(from, be, order);
}

/** A vector of R from the samples from `p` backwards. */
// @ts-ignore: decorator
@inline function backward<T, R>(p: usize, i: i32, order: v128, be: bool): v128 {
  if (!p) return i32x4.splat(0);
  const from = p - <usize>(i + <i32>(16 / sizeof<R>()) - 1) * sizeof<T>();
  if (sizeof<R>() == 4) {
    const v = f32x4In<T>(from, be, order);
    return i32x4.shuffle(v, v, 3, 2, 1, 0);
  }
  const v = f64x2In<T>(from, be, order);
  return i64x2.shuffle(v, v, 1, 0);
}

// @ts-ignore: decorator
@inline function add<R>(a: v128, b: v128): v128 {
  return sizeof<R>() == 4 ? f32x4.add(a, b) : f64x2.add(a, b);
}

// @ts-ignore: decorator
@inline function sub<R>(a: v128, b: v128): v128 {
  return sizeof<R>() == 4 ? f32x4.sub(a, b) : f64x2.sub(a, b);
}

// @ts-ignore: decorator
@inline function one<T, R>(p: usize, i: i32, be: bool): R {
  return p ? <R>sample<T>(p + <usize>i * sizeof<T>(), be) : <R>0;
}

// @ts-ignore: decorator
@inline function quarter<T, R>(to: usize, planeStride: usize, a: usize, b: usize, c: usize, d: usize, n: i32, order: v128, be: bool): void {
  const step = <i32>(16 / sizeof<R>()), plane1 = to + planeStride, plane2 = plane1 + planeStride, plane3 = plane2 + planeStride;
  let i = 0;
  for (; i + step <= n; i += step) {
    const va = forward<T, R>(a, i, order, be), vb = backward<T, R>(b, i, order, be);
    const vc = forward<T, R>(c, i, order, be), vd = backward<T, R>(d, i, order, be);
    const ab = add<R>(va, vb), cd = add<R>(vc, vd), amb = sub<R>(va, vb), cmd = sub<R>(vc, vd);
    const skip = <usize>i * sizeof<R>();
    v128.store(to + skip, add<R>(ab, cd));
    v128.store(plane1 + skip, add<R>(amb, cmd));
    v128.store(plane2 + skip, sub<R>(ab, cd));
    v128.store(plane3 + skip, sub<R>(amb, cmd));
  }
  for (; i < n; i++) {
    const va = one<T, R>(a, i, be), vb = one<T, R>(b, -i, be), vc = one<T, R>(c, i, be), vd = one<T, R>(d, -i, be);
    const ab = va + vb, cd = vc + vd, amb = va - vb, cmd = vc - vd;
    const skip = <usize>i * sizeof<R>();
    store<R>(to + skip, ab + cd);
    store<R>(plane1 + skip, amb + cmd);
    store<R>(plane2 + skip, ab - cd);
    store<R>(plane3 + skip, amb - cmd);
  }
}

// @ts-ignore: decorator
@inline function copy<T, R>(to: usize, a: usize, n: i32, order: v128, be: bool): void {
  const step = <i32>(16 / sizeof<R>());
  let i = 0;
  for (; i + step <= n; i += step) v128.store(to + <usize>i * sizeof<R>(), forward<T, R>(a, i, order, be));
  for (; i < n; i++) store<R>(to + <usize>i * sizeof<R>(), one<T, R>(a, i, be));
}
