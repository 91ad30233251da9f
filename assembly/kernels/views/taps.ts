// weigh_taps_f32, weigh_taps_f64: weighted sums of samples at any distances.
//
//   for i < n: out[i] = w[0] data[i + offset 0] + w[1] data[i + offset 1] + …, starting at 0, from left to right

import { at, lanes, product, splat, splatted } from "./weigh";

// @ts-ignore: decorator
@inline export function tapsF32<T>(out: usize, data: usize, n: i32, offsets: usize, weights: usize, count: i32): void {
  taps<T, f32>(out, data, n, offsets, weights, count);
}

// @ts-ignore: decorator
@inline export function tapsF64<T>(out: usize, data: usize, n: i32, offsets: usize, weights: usize, count: i32): void {
  taps<T, f64>(out, data, n, offsets, weights, count);
}

/** Four vectors at a time, then one, then sample by sample where the line has less than a vector. */
// @ts-ignore: decorator
@inline function taps<T, A>(out: usize, data: usize, n: i32, offsets: usize, weights: usize, count: i32): void {
  const next = <usize>lanes<A>() * sizeof<T>(), end = weights + <usize>count * sizeof<A>();
  let x = 0;
  for (; x + 4 * lanes<A>() <= n; x += 4 * lanes<A>()) {
    const from = data + <usize>x * sizeof<T>(), to = out + <usize>x * sizeof<A>();
    let s0 = splat<A>(0), s1 = s0, s2 = s0, s3 = s0;
    for (let w = weights, o = offsets; w < end; w += sizeof<A>(), o += 4) {
      const weight = splatted<A>(w), p = from + load<u32>(o);
      s0 = product<A>(s0, weight, at<T, A>(p));
      s1 = product<A>(s1, weight, at<T, A>(p + next));
      s2 = product<A>(s2, weight, at<T, A>(p + 2 * next));
      s3 = product<A>(s3, weight, at<T, A>(p + 3 * next));
    }
    v128.store(to, s0);
    v128.store(to, s1, 16);
    v128.store(to, s2, 32);
    v128.store(to, s3, 48);
  }
  for (; x < n && n >= lanes<A>(); x += lanes<A>()) {
    const start = <usize>min(x, n - lanes<A>()), from = data + start * sizeof<T>();
    let sum = splat<A>(0);
    for (let w = weights, o = offsets; w < end; w += sizeof<A>(), o += 4) {
      sum = product<A>(sum, splatted<A>(w), at<T, A>(from + load<u32>(o)));
    }
    v128.store(out + start * sizeof<A>(), sum);
  }
  for (; x < n; x++) {
    const from = data + <usize>x * sizeof<T>();
    let sum: A = 0;
    for (let w = weights, o = offsets; w < end; w += sizeof<A>(), o += 4) sum += load<A>(w) * <A>load<T>(from + load<u32>(o));
    store<A>(out + <usize>x * sizeof<A>(), sum);
  }
}
