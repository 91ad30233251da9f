// What the blocks of dot_blocks.ts are made of: vectors of samples, and the way from lanes of sums to out.

import { sample, vecIn } from "./vectors";
import { f32x4In, f64x2In } from "./widen";

/** 8 samples, `skip` samples after `p`, as lanes of 16 bits; `flip` moves u16 into the range of i16. */
// @ts-ignore: decorator
@inline export function exactSamples<T>(p: usize, skip: usize, order: v128, flip: v128, be: bool): v128 {
  if (sizeof<T>() == 1) return isSigned<T>() ? v128.load8x8_s(p + skip) : v128.load8x8_u(p + skip);
  const v = vecIn<T>(p + 2 * skip, be, order);
  return isSigned<T>() ? v : v128.xor(v, flip);
}

/** 4 samples as f32. */
// @ts-ignore: decorator
@inline export function singleSamples<T>(p: usize, skip: usize, order: v128, flip: v128, be: bool): v128 {
  return f32x4In<T>(p + skip * sizeof<T>(), be, order);
}

/** 2 samples as f64. */
// @ts-ignore: decorator
@inline export function doubleSamples<T>(p: usize, skip: usize, order: v128, flip: v128, be: bool): v128 {
  return f64x2In<T>(p + skip * sizeof<T>(), be, order);
}

/** The first `n` < 4 samples at `p` as f32, the other lanes 0. */
// @ts-ignore: decorator
@inline export function someSingles<T>(p: usize, n: i32, be: bool): v128 {
  let v = f32x4.replace_lane(f32x4.splat(0), 0, <f32>sample<T>(p, be));
  if (n > 1) v = f32x4.replace_lane(v, 1, <f32>sample<T>(p + sizeof<T>(), be));
  if (n > 2) v = f32x4.replace_lane(v, 2, <f32>sample<T>(p + 2 * sizeof<T>(), be));
  return v;
}

/** One sample as f64, the other lane 0. */
// @ts-ignore: decorator
@inline export function someDoubles<T>(p: usize, n: i32, be: bool): v128 {
  return f64x2.replace_lane(f64x2.splat(0), 0, <f64>sample<T>(p, be));
}

/** The sum of four lanes of i32, which it may not fit into. */
// @ts-ignore: decorator
@inline export function horizontal(v: v128): i64 {
  const wide = i64x2.add(i64x2.extend_low_i32x4_s(v), i64x2.extend_high_i32x4_s(v));
  return i64x2.extract_lane(wide, 0) + i64x2.extract_lane(wide, 1);
}

// @ts-ignore: decorator
@inline export function addExact(out: usize, lanes: v128, offset: usize): void {
  store<f64>(out + offset, load<f64>(out + offset) + <f64>horizontal(lanes));
}

// @ts-ignore: decorator
@inline export function addSingle(out: usize, lanes: v128, offset: usize): void {
  const folded = f64x2.add(f64x2.promote_low_f32x4(lanes), f64x2.promote_low_f32x4(i64x2.shuffle(lanes, lanes, 1, 1)));
  addDouble(out, folded, offset);
}

// @ts-ignore: decorator
@inline export function addDouble(out: usize, lanes: v128, offset: usize): void {
  store<f64>(out + offset, load<f64>(out + offset) + (f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)));
}
