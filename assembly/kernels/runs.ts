// Over runs of pixels (y, x0, x1), three i32 each, as in com.ts: the standard deviation of samples, and the sum of the
// magnitudes of complex numbers. Everything is added in f64, sample i of a run in lane i mod 4 (magnitudes: i mod 2).

import { f64x2In } from "./widen";
import { orderOf, sample } from "./vectors";

// @ts-ignore: decorator
@inline function start<T>(data: usize, rowLength: i32, runs: usize): usize {
  return data + (<usize>load<i32>(runs) * <usize>rowLength + <usize>load<i32>(runs, 4)) * sizeof<T>();
}

/**
 * The sum over all runs of v - shift, or of its square. A frame at a time: the sum first, then the squares of what is
 * left after taking the mean away, which loses nothing to cancellation.
 */
// @ts-ignore: decorator
@inline function added<T>(data: usize, rowLength: i32, runs: usize, count: i32, shift: f64, square: bool, be: bool): f64 {
  const order = orderOf<T>(count), s = f64x2.splat(shift), none = f64x2.splat(0);
  let low = none, high = none;
  for (let r = 0; r < count; r++, runs += 12) {
    let p = start<T>(data, rowLength, runs), rest = load<i32>(runs, 8) - load<i32>(runs, 4);
    for (; rest >= 4; rest -= 4, p += 4 * sizeof<T>()) {
      low = f64x2.add(low, term(f64x2In<T>(p, be, order), s, square));
      high = f64x2.add(high, term(f64x2In<T>(p + 2 * sizeof<T>(), be, order), s, square));
    }
    if (rest >= 2) {
      low = f64x2.add(low, term(f64x2In<T>(p, be, order), s, square));
      p += 2 * sizeof<T>();
      rest -= 2;
      if (rest > 0) high = f64x2.add(high, alone(<f64>sample<T>(p, be), s, square));
    } else if (rest > 0) low = f64x2.add(low, alone(<f64>sample<T>(p, be), s, square));
  }
  const sum = f64x2.add(low, high);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

// @ts-ignore: decorator
@inline function term(v: v128, shift: v128, square: bool): v128 {
  if (!square) return v;
  const d = f64x2.sub(v, shift);
  return f64x2.mul(d, d);
}

/** One value in lane 0; lane 1 adds nothing. */
// @ts-ignore: decorator
@inline function alone(v: f64, shift: v128, square: bool): v128 {
  return f64x2.replace_lane(f64x2.splat(0), 0, f64x2.extract_lane(term(f64x2.splat(v), shift, square), 0));
}

// @ts-ignore: decorator
@inline export function deviation<T>(
  out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, rowLength: i32, runs: usize, count: i32,
  be: bool,
): void {
  let n: f64 = 0;
  for (let r = 0, at = runs; r < count; r++, at += 12) n += <f64>(load<i32>(at, 8) - load<i32>(at, 4));
  for (let f = 0; f < frames; f++, data += frameStride, out += outStride) {
    const mean = added<T>(data, rowLength, runs, count, 0, false, be) / n;
    store<f64>(out, sqrt<f64>(added<T>(data, rowLength, runs, count, mean, true, be) / n));
  }
}

/** Two numbers of f64, re * re + im * im, of two pairs of T at `p`. */
// @ts-ignore: decorator
@inline function squares<T>(p: usize): v128 {
  const v = v128.load(p);
  const a = sizeof<T>() == 8 ? v : f64x2.promote_low_f32x4(v);
  const b = sizeof<T>() == 8 ? v128.load(p, 16) : f64x2.promote_low_f32x4(i64x2.shuffle(v, v, 1, 1));
  const re = i64x2.shuffle(a, b, 0, 2), im = i64x2.shuffle(a, b, 1, 3);
  return f64x2.add(f64x2.mul(re, re), f64x2.mul(im, im));
}

/** `T` is f32 or f64, the type of real and imaginary parts. */
// @ts-ignore: decorator
@inline export function magnitudes<T>(out: usize, data: usize, rowLength: i32, runs: usize, count: i32): void {
  let sum = f64x2.splat(0);
  for (let r = 0; r < count; r++, runs += 12) {
    const pair = 2 * sizeof<T>();
    let p = data + (<usize>load<i32>(runs) * <usize>rowLength + <usize>load<i32>(runs, 4)) * pair;
    let rest = load<i32>(runs, 8) - load<i32>(runs, 4);
    for (; rest >= 2; rest -= 2, p += 2 * pair) sum = f64x2.add(sum, f64x2.sqrt(squares<T>(p)));
    if (rest <= 0) continue;
    const re = <f64>load<T>(p), im = <f64>load<T>(p + sizeof<T>());
    sum = f64x2.add(sum, f64x2.replace_lane(f64x2.splat(0), 0, sqrt<f64>(re * re + im * im)));
  }
  store<f64>(out, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}
