// deviations, rest_steps, join_deviations: weighted sums of windows as deviations from samples in their middle, dimension by dimension.
//
//   deviations:       out[y][x] = w[0] (d[2 half − 1] − d[0]) + w[1] (d[2 half − 2] − d[1]) + …
//                     d[k] = f64(data[y][x + k + 1 steps]) − f64(data[y][x + k steps])
//   rest_steps:       out[y][x] = each (f64(data[y][x + step]) − f64(data[y][x])) + (rests[y][x + restStep] − rests[y][x])
//   join_deviations:  out[y][x] = scale rests[y][x] + w[0] (d[2 half − 1] − d[0]) + …    d[k] = deltas[y][x + k steps]
//
// Steps d lead from each sample, or sum of samples, to the next one. Symmetric weights of samples are weights of the steps from the
// middle: a step counts for all samples behind it. Nothing cancels, however far samples are from 0, and a result depends on the
// samples of its window only. Along columns, four rows share their loads, as in weigh.ts.

import { f64x2At } from "../widen";
import { product } from "./weigh";

// @ts-ignore: decorator
@inline export function deviations<T>(
  out: usize, outStride: usize, data: usize, stride: usize, rows: i32, n: i32, step: usize, weights: usize, half: i32,
): void {
  weighSteps<T>(out, outStride, out, 0, data, stride, rows, n, step, weights, half, 0, false);
}

// @ts-ignore: decorator
@inline export function joinDeviations<T>(
  out: usize, outStride: usize, rests: usize, restStride: usize, deltas: usize, stride: usize, rows: i32, n: i32, step: usize,
  weights: usize, half: i32, scale: f64,
): void {
  weighSteps<T>(out, outStride, rests, restStride, deltas, stride, rows, n, step, weights, half, scale, true);
}

// @ts-ignore: decorator
@inline export function restSteps<T>(
  out: usize, data: usize, rowStride: usize, step: usize, rests: usize, restStride: usize, restStep: usize, rows: i32, n: i32,
  each: f64,
): void {
  for (; rows > 0; rows--, out += restStride, data += rowStride, rests += restStride) {
    rowSteps<T>(out, data, step, rests, restStep, n, each);
  }
}

// @ts-ignore: decorator
@inline function rowSteps<T>(out: usize, data: usize, step: usize, rests: usize, restStep: usize, n: i32, each: f64): void {
  const all = f64x2.splat(each), next = <usize>2 * sizeof<T>();
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3, p = data + <usize>x * sizeof<T>();
    v128.store(out + at, stepBetween<T>(p, step, rests + at, restStep, all));
    v128.store(out + at, stepBetween<T>(p + next, step, rests + at + 16, restStep, all), 16);
    v128.store(out + at, stepBetween<T>(p + 2 * next, step, rests + at + 32, restStep, all), 32);
    v128.store(out + at, stepBetween<T>(p + 3 * next, step, rests + at + 48, restStep, all), 48);
  }
  for (; x < n; x++) {
    const q = rests + (<usize>x << 3), far = deltaOne<T>(data + <usize>x * sizeof<T>(), step, false);
    store<f64>(out + (<usize>x << 3), (load<f64>(q + restStep) - load<f64>(q)) + each * far);
  }
}

/** The step between two means or sums: `each` times that of the samples, and that of the rests. */
// @ts-ignore: decorator
@inline function stepBetween<T>(data: usize, step: usize, rests: usize, restStep: usize, each: v128): v128 {
  return product<f64>(f64x2.sub(v128.load(rests + restStep), v128.load(rests)), each, delta<T>(data, step, false));
}

/** `isMade` is a constant: steps stand in memory, else they are those of samples, and there are no rests. */
// @ts-ignore: decorator
@inline function weighSteps<T>(
  out: usize, outStride: usize, rests: usize, restStride: usize, data: usize, stride: usize, rows: i32, n: i32, step: usize,
  weights: usize, half: i32, scale: f64, isMade: bool,
): void {
  let y = 0;
  if (step == stride && n >= 2) {
    for (; y + 4 <= rows; y += 4, out += 4 * outStride, rests += 4 * restStride, data += 4 * stride) {
      for (let x = 0; x < n; x += 2) {
        const i = <usize>min(x, n - 2), at = i << 3; // the last vector begins early: some results are stored twice
        fourRows<T>(out + at, outStride, rests + at, restStride, data + i * sizeof<T>(), step, weights, half, scale, isMade);
      }
    }
  }
  for (; y < rows; y++, out += outStride, rests += restStride, data += stride) {
    oneRow<T>(out, rests, data, n, step, weights, half, scale, isMade);
  }
}

/** One vector in each of four rows. Every step is made once as the upper and once as the lower of a pair. */
// @ts-ignore: decorator
@inline function fourRows<T>(
  out: usize, outStride: usize, rests: usize, restStride: usize, data: usize, step: usize, weights: usize, half: i32, scale: f64,
  isMade: bool,
): void {
  let a = data + 4 * step, b = data + <usize>(2 * half - 1) * step, w = weights;
  let l0: v128, l1: v128, l2: v128, h1: v128, h2: v128, h3: v128, low = f64x2.splat(0), high = low;
  if (isMade) {
    a -= step;
    l0 = v128.load(data); l1 = v128.load(data + step); l2 = v128.load(data + 2 * step);
    h1 = v128.load(b + step); h2 = v128.load(b + 2 * step); h3 = v128.load(b + 3 * step);
  } else {
    const d1 = f64x2At<T>(data + step, false), d2 = f64x2At<T>(data + 2 * step, false);
    low = f64x2At<T>(data + 3 * step, false);
    l0 = f64x2.sub(d1, f64x2At<T>(data, false)); l1 = f64x2.sub(d2, d1); l2 = f64x2.sub(low, d2);
    const e2 = f64x2At<T>(b + 2 * step, false), e3 = f64x2At<T>(b + 3 * step, false);
    high = f64x2At<T>(b + step, false);
    h1 = f64x2.sub(e2, high); h2 = f64x2.sub(e3, e2); h3 = f64x2.sub(f64x2At<T>(b + 4 * step, false), e3);
  }
  let s0 = scaled(rests, scale, isMade), s1 = scaled(rests + restStride, scale, isMade);
  let s2 = scaled(rests + 2 * restStride, scale, isMade), s3 = scaled(rests + 3 * restStride, scale, isMade);
  for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
    const weight = v128.load64_splat(w);
    let h0: v128, l3: v128;
    if (isMade) {
      h0 = v128.load(b);
      l3 = v128.load(a);
    } else {
      const up = f64x2At<T>(b, false), down = f64x2At<T>(a, false);
      h0 = f64x2.sub(high, up);
      l3 = f64x2.sub(down, low);
      high = up;
      low = down;
    }
    s0 = product<f64>(s0, weight, f64x2.sub(h0, l0));
    s1 = product<f64>(s1, weight, f64x2.sub(h1, l1));
    s2 = product<f64>(s2, weight, f64x2.sub(h2, l2));
    s3 = product<f64>(s3, weight, f64x2.sub(h3, l3));
    l0 = l1; l1 = l2; l2 = l3;
    h3 = h2; h2 = h1; h1 = h0;
  }
  v128.store(out, s0);
  v128.store(out + outStride, s1);
  v128.store(out + 2 * outStride, s2);
  v128.store(out + 3 * outStride, s3);
}

/** Four vectors at a time, then one, then sample by sample where the row has less than a vector. */
// @ts-ignore: decorator
@inline function oneRow<T>(
  out: usize, rests: usize, data: usize, n: i32, step: usize, weights: usize, half: i32, scale: f64, isMade: bool,
): void {
  const far = <usize>(2 * half - 1) * step, next = 2 * sizeof<T>();
  let x = 0;
  for (; x + 8 <= n; x += 8) {
    const at = <usize>x << 3;
    let a = data + <usize>x * sizeof<T>(), b = a + far, w = weights;
    let s0 = scaled(rests + at, scale, isMade), s1 = scaled(rests + at + 16, scale, isMade);
    let s2 = scaled(rests + at + 32, scale, isMade), s3 = scaled(rests + at + 48, scale, isMade);
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      const weight = v128.load64_splat(w);
      s0 = product<f64>(s0, weight, pair<T>(a, b, step, isMade));
      s1 = product<f64>(s1, weight, pair<T>(a + next, b + next, step, isMade));
      s2 = product<f64>(s2, weight, pair<T>(a + 2 * next, b + 2 * next, step, isMade));
      s3 = product<f64>(s3, weight, pair<T>(a + 3 * next, b + 3 * next, step, isMade));
    }
    v128.store(out + at, s0);
    v128.store(out + at, s1, 16);
    v128.store(out + at, s2, 32);
    v128.store(out + at, s3, 48);
  }
  for (; x < n && n >= 2; x += 2) {
    const i = <usize>min(x, n - 2), at = i << 3;
    let a = data + i * sizeof<T>(), b = a + far, w = weights, sum = scaled(rests + at, scale, isMade);
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      sum = product<f64>(sum, v128.load64_splat(w), pair<T>(a, b, step, isMade));
    }
    v128.store(out + at, sum);
  }
  for (; x < n; x++) {
    let a = data, b = a + far, w = weights, sum = isMade ? scale * load<f64>(rests) : 0;
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      sum += load<f64>(w) * (deltaOne<T>(b, step, isMade) - deltaOne<T>(a, step, isMade));
    }
    store<f64>(out, sum);
  }
}

/** The step at `b`, less that at `a`. */
// @ts-ignore: decorator
@inline function pair<T>(a: usize, b: usize, step: usize, isMade: bool): v128 {
  return f64x2.sub(delta<T>(b, step, isMade), delta<T>(a, step, isMade));
}

/** The step that stands at `p`, or that from the samples at `p` to those `step` bytes behind. */
// @ts-ignore: decorator
@inline function delta<T>(p: usize, step: usize, isMade: bool): v128 {
  return isMade ? v128.load(p) : f64x2.sub(f64x2At<T>(p + step, false), f64x2At<T>(p, false));
}

// @ts-ignore: decorator
@inline function deltaOne<T>(p: usize, step: usize, isMade: bool): f64 {
  return isMade ? load<f64>(p) : <f64>load<T>(p + step) - <f64>load<T>(p);
}

// @ts-ignore: decorator
@inline function scaled(rests: usize, scale: f64, isMade: bool): v128 {
  return isMade ? f64x2.mul(f64x2.splat(scale), v128.load(rests)) : f64x2.splat(0);
}
