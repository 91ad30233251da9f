// weigh_f32, weigh_f64: weighted sums of samples that lie `step` bytes apart, for rows of samples.
//
//   for y < rows, x < n:
//     d[k] = data[y][x + k steps], as f32 or f64
//     fold = 0:  out[y][x] = w[0] d[0] + w[1] d[1] + … + w[count − 1] d[count − 1]
//     fold ≠ 0:  out[y][x] = w[0] (d[0] ± d[count − 1]) + w[1] (d[1] ± d[count − 2]) + … + w[half] d[half]
//
// Sums start at 0 and grow from left to right, so that a result depends on its own samples only. Weights that are symmetric
// (fold > 0) or antisymmetric (fold < 0) are folded: half of the products; count is odd then. Where samples are summed along
// columns, four rows at a time share their loads.

import { f32x4At, f64x2At } from "../widen";

// @ts-ignore: decorator
@inline export function weighF32<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, step: usize, weights: usize, count: i32,
  fold: i32,
): void {
  weigh<T, f32>(out, outStride, data, rowStride, rows, n, step, weights, count, fold);
}

// @ts-ignore: decorator
@inline export function weighF64<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, step: usize, weights: usize, count: i32,
  fold: i32,
): void {
  weigh<T, f64>(out, outStride, data, rowStride, rows, n, step, weights, count, fold);
}

// @ts-ignore: decorator
@inline function weigh<T, A>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, step: usize, weights: usize, count: i32,
  fold: i32,
): void {
  if (fold > 0) folded<T, A>(out, outStride, data, rowStride, rows, n, step, weights, count, false);
  else if (fold < 0) folded<T, A>(out, outStride, data, rowStride, rows, n, step, weights, count, true);
  else for (; rows > 0; rows--, out += outStride, data += rowStride) plainRow<T, A>(out, data, n, step, weights, count);
}

/** `isOdd` is a constant: weights are antisymmetric. */
// @ts-ignore: decorator
@inline function folded<T, A>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, step: usize, weights: usize, count: i32,
  isOdd: bool,
): void {
  let y = 0;
  if (step == rowStride && n >= lanes<A>()) {
    for (; y + 4 <= rows; y += 4, out += 4 * outStride, data += 4 * rowStride) {
      for (let x = 0; x < n; x += lanes<A>()) {
        const at = <usize>min(x, n - lanes<A>()); // the last vector begins early: some results are stored twice
        fourRows<T, A>(out + at * sizeof<A>(), outStride, data + at * sizeof<T>(), step, weights, count, isOdd, false);
      }
    }
  }
  for (; y < rows; y++, out += outStride, data += rowStride) foldedRow<T, A>(out, data, n, step, weights, count, isOdd);
}

/**
 * One vector in each of four rows. Every row of samples is loaded once as the upper and once as the lower of a pair. The
 * results are stored `outStride` bytes apart: a vector per row, or a vector per column (`isTurned`, a constant; f32).
 */
// @ts-ignore: decorator
@inline export function fourRows<T, A>(
  out: usize, outStride: usize, data: usize, step: usize, weights: usize, count: i32, isOdd: bool, isTurned: bool,
): void {
  let a = data + 3 * step, b = data + <usize>(count - 1) * step, w = weights;
  let l0 = at<T, A>(data), l1 = at<T, A>(data + step), l2 = at<T, A>(data + 2 * step);
  let h1 = at<T, A>(b + step), h2 = at<T, A>(b + 2 * step), h3 = at<T, A>(b + 3 * step);
  let s0 = splat<A>(0), s1 = s0, s2 = s0, s3 = s0;
  for (let k = count >> 1; k > 0; k--, a += step, b -= step, w += sizeof<A>()) {
    const weight = splatted<A>(w), h0 = at<T, A>(b), l3 = at<T, A>(a);
    s0 = term<A>(s0, weight, l0, h0, isOdd);
    s1 = term<A>(s1, weight, l1, h1, isOdd);
    s2 = term<A>(s2, weight, l2, h2, isOdd);
    s3 = term<A>(s3, weight, l3, h3, isOdd);
    l0 = l1; l1 = l2; l2 = l3;
    h3 = h2; h2 = h1; h1 = h0;
  }
  const weight = splatted<A>(w);
  s0 = product<A>(s0, weight, l0);
  s1 = product<A>(s1, weight, h1);
  s2 = product<A>(s2, weight, h2);
  s3 = product<A>(s3, weight, h3);
  if (isTurned) storeTurned(out, outStride, s0, s1, s2, s3);
  else {
    v128.store(out, s0);
    v128.store(out + outStride, s1);
    v128.store(out + 2 * outStride, s2);
    v128.store(out + 3 * outStride, s3);
  }
}

/** Stores 4 × 4 floats with rows and columns exchanged. */
// @ts-ignore: decorator
@inline function storeTurned(out: usize, stride: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  const low0 = i32x4.shuffle(s0, s1, 0, 4, 1, 5), low2 = i32x4.shuffle(s2, s3, 0, 4, 1, 5);
  v128.store(out, i64x2.shuffle(low0, low2, 0, 2));
  v128.store(out + stride, i64x2.shuffle(low0, low2, 1, 3));
  const high0 = i32x4.shuffle(s0, s1, 2, 6, 3, 7), high2 = i32x4.shuffle(s2, s3, 2, 6, 3, 7);
  v128.store(out + 2 * stride, i64x2.shuffle(high0, high2, 0, 2));
  v128.store(out + 3 * stride, i64x2.shuffle(high0, high2, 1, 3));
}

/** Four vectors at a time, then one, then sample by sample where the row has less than a vector. */
// @ts-ignore: decorator
@inline function foldedRow<T, A>(out: usize, data: usize, n: i32, step: usize, weights: usize, count: i32, isOdd: bool): void {
  const far = <usize>(count - 1) * step, half = count >> 1, next = <usize>lanes<A>() * sizeof<T>();
  let x = 0;
  for (; x + 4 * lanes<A>() <= n; x += 4 * lanes<A>()) {
    let a = data + <usize>x * sizeof<T>(), b = a + far, w = weights;
    let s0 = splat<A>(0), s1 = s0, s2 = s0, s3 = s0;
    for (let k = half; k > 0; k--, a += step, b -= step, w += sizeof<A>()) {
      const weight = splatted<A>(w);
      s0 = term<A>(s0, weight, at<T, A>(a), at<T, A>(b), isOdd);
      s1 = term<A>(s1, weight, at<T, A>(a + next), at<T, A>(b + next), isOdd);
      s2 = term<A>(s2, weight, at<T, A>(a + 2 * next), at<T, A>(b + 2 * next), isOdd);
      s3 = term<A>(s3, weight, at<T, A>(a + 3 * next), at<T, A>(b + 3 * next), isOdd);
    }
    const weight = splatted<A>(w), to = out + <usize>x * sizeof<A>();
    v128.store(to, product<A>(s0, weight, at<T, A>(a)));
    v128.store(to, product<A>(s1, weight, at<T, A>(a + next)), 16);
    v128.store(to, product<A>(s2, weight, at<T, A>(a + 2 * next)), 32);
    v128.store(to, product<A>(s3, weight, at<T, A>(a + 3 * next)), 48);
  }
  for (; x < n && n >= lanes<A>(); x += lanes<A>()) {
    const from = <usize>min(x, n - lanes<A>());
    let a = data + from * sizeof<T>(), b = a + far, w = weights, sum = splat<A>(0);
    for (let k = half; k > 0; k--, a += step, b -= step, w += sizeof<A>()) {
      sum = term<A>(sum, splatted<A>(w), at<T, A>(a), at<T, A>(b), isOdd);
    }
    v128.store(out + from * sizeof<A>(), product<A>(sum, splatted<A>(w), at<T, A>(a)));
  }
  for (; x < n; x++) {
    let a = data + <usize>x * sizeof<T>(), b = a + far, w = weights;
    let sum: A = 0;
    for (let k = half; k > 0; k--, a += step, b -= step, w += sizeof<A>()) {
      sum += load<A>(w) * (isOdd ? <A>load<T>(a) - <A>load<T>(b) : <A>load<T>(a) + <A>load<T>(b));
    }
    store<A>(out + <usize>x * sizeof<A>(), sum + load<A>(w) * <A>load<T>(a));
  }
}

/** Two vectors at a time, then one, then sample by sample where the row has less than a vector. */
// @ts-ignore: decorator
@inline function plainRow<T, A>(out: usize, data: usize, n: i32, step: usize, weights: usize, count: i32): void {
  const next = <usize>lanes<A>() * sizeof<T>();
  let x = 0;
  for (; x + 2 * lanes<A>() <= n; x += 2 * lanes<A>()) {
    let a = data + <usize>x * sizeof<T>(), w = weights, s0 = splat<A>(0), s1 = s0;
    for (let k = count; k > 0; k--, a += step, w += sizeof<A>()) {
      const weight = splatted<A>(w);
      s0 = product<A>(s0, weight, at<T, A>(a));
      s1 = product<A>(s1, weight, at<T, A>(a + next));
    }
    v128.store(out + <usize>x * sizeof<A>(), s0);
    v128.store(out + <usize>x * sizeof<A>(), s1, 16);
  }
  for (; x < n && n >= lanes<A>(); x += lanes<A>()) {
    const from = <usize>min(x, n - lanes<A>());
    let a = data + from * sizeof<T>(), w = weights, sum = splat<A>(0);
    for (let k = count; k > 0; k--, a += step, w += sizeof<A>()) sum = product<A>(sum, splatted<A>(w), at<T, A>(a));
    v128.store(out + from * sizeof<A>(), sum);
  }
  for (; x < n; x++) {
    let a = data + <usize>x * sizeof<T>(), w = weights, sum: A = 0;
    for (let k = count; k > 0; k--, a += step, w += sizeof<A>()) sum += load<A>(w) * <A>load<T>(a);
    store<A>(out + <usize>x * sizeof<A>(), sum);
  }
}

/** sum + weight (a ± b) */
// @ts-ignore: decorator
@inline function term<A>(sum: v128, weight: v128, a: v128, b: v128, isOdd: bool): v128 {
  return product<A>(sum, weight, isOdd ? v128.sub<A>(a, b) : v128.add<A>(a, b));
}

/** sum + weight a */
// @ts-ignore: decorator
@inline export function product<A>(sum: v128, weight: v128, a: v128): v128 {
  return v128.add<A>(sum, v128.mul<A>(weight, a));
}

/** The vector of samples of T at `p`, as floats of A. */
// @ts-ignore: decorator
@inline export function at<T, A>(p: usize): v128 {
  return sizeof<A>() == 4 ? f32x4At<T>(p, false) : f64x2At<T>(p, false);
}

/** The float at `p` in every lane. */
// @ts-ignore: decorator
@inline export function splatted<A>(p: usize): v128 {
  return sizeof<A>() == 4 ? v128.load32_splat(p) : v128.load64_splat(p);
}

// @ts-ignore: decorator
@inline export function splat<A>(value: A): v128 {
  return v128.splat<A>(value);
}

/** Floats of A per vector. */
// @ts-ignore: decorator
@inline export function lanes<A>(): i32 {
  return 16 / sizeof<A>();
}
