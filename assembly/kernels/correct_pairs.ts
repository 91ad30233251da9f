// correct_pairs: dst = (x - dark) * gain per pixel for complex samples, which are pairs of floats, as are dark and gain.
//
//   for every frame f, pixel p: (r, i) = x[f][p] - dark[p], (c, s) = gain[p]
//                               dst[f][p] = (r c - i s, r s + i c)              (address 0: no dark, no gain)
//
// Every operation is rounded to the type of the samples. A real gain needs none of this: correct_f32 and correct_f64 scale
// both parts of a pair.

import { orderOf, sample, vecIn } from "./vectors";

// @ts-ignore: decorator
@inline export function correctPairs<T>(dst: usize, dstStride: usize, src: usize, srcStride: usize, frames: i32, dark: usize, gain: usize, pixels: i32, be: bool): void {
  const bytes = <usize>pixels * 2 * sizeof<T>(), body = bytes & ~15, order = orderOf<T>(pixels);
  for (let f = 0; f < frames; f++, dst += dstStride, src += srcStride) {
    for (let at: usize = 0; at < body; at += 16) {
      let x = vecIn<T>(src + at, be, order);
      if (dark) x = v128.sub<T>(x, v128.load(dark + at));
      if (gain) x = product<T>(x, v128.load(gain + at));
      v128.store(dst + at, x);
    }
    if (body < bytes) last<T>(dst + body, src + body, dark ? dark + body : 0, gain ? gain + body : 0, be);
  }
}

/** One complex number of a vector, or two. */
// @ts-ignore: decorator
@inline function product<T>(a: v128, b: v128): v128 {
  if (sizeof<T>() == 4) {
    const r = i32x4.shuffle(a, a, 0, 0, 2, 2), i = i32x4.shuffle(a, a, 1, 1, 3, 3), turned = i32x4.shuffle(b, b, 1, 0, 3, 2);
    return f32x4.add(f32x4.mul(r, b), v128.xor(f32x4.mul(i, turned), i32x4(0x80000000, 0, 0x80000000, 0)));
  }
  const r = i64x2.shuffle(a, a, 0, 0), i = i64x2.shuffle(a, a, 1, 1), turned = i64x2.shuffle(b, b, 1, 0);
  return f64x2.add(f64x2.mul(r, b), v128.xor(f64x2.mul(i, turned), i64x2(0x8000000000000000, 0)));
}

/** The last pixel of an odd number of them. */
// @ts-ignore: decorator
@inline function last<T>(dst: usize, src: usize, dark: usize, gain: usize, be: bool): void {
  let r = sample<T>(src, be), i = sample<T>(src + sizeof<T>(), be);
  if (dark) {
    r = <T>(r - load<T>(dark));
    i = <T>(i - load<T>(dark + sizeof<T>()));
  }
  const c = gain ? load<T>(gain) : <T>1, s = gain ? load<T>(gain + sizeof<T>()) : <T>0;
  store<T>(dst, gain ? <T>(<T>(r * c) - <T>(i * s)) : r);
  store<T>(dst + sizeof<T>(), gain ? <T>(<T>(r * s) + <T>(i * c)) : i);
}
