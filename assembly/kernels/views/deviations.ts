// add_deviations: weighted deviations of samples from the one in their middle, for symmetric weights.
//
//   out[i] += w[0] ((d[0] − m) + (d[count − 1] − m)) + w[1] ((d[1] − m) + (d[count − 2] − m)) + …     d[k] = data[i + k steps]
//
// m is the sample in the middle, d[half]. Nothing cancels, however far the samples are from 0. A result depends on its own
// samples only.

import { product } from "./weigh";

// @ts-ignore: decorator
@inline export function addDeviations<T>(out: usize, data: usize, n: i32, step: usize, weights: usize, count: i32): void {
  const half = count >> 1, far = <usize>(count - 1) * step;
  let x = 0;
  for (; x + 4 <= n; x += 4) {
    let a = data + (<usize>x << 3), b = a + far, w = weights;
    const p = a + <usize>half * step, m0 = v128.load(p), m1 = v128.load(p, 16);
    let s0 = f64x2.splat(0), s1 = s0;
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      const weight = v128.load64_splat(w);
      s0 = product<f64>(s0, weight, apart(v128.load(a), v128.load(b), m0));
      s1 = product<f64>(s1, weight, apart(v128.load(a, 16), v128.load(b, 16), m1));
    }
    const to = out + (<usize>x << 3);
    v128.store(to, f64x2.add(v128.load(to), s0));
    v128.store(to, f64x2.add(v128.load(to, 16), s1), 16);
  }
  for (; x < n; x++) {
    let a = data + (<usize>x << 3), b = a + far, w = weights, sum: f64 = 0;
    const m = load<f64>(a + <usize>half * step);
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      sum += load<f64>(w) * ((load<f64>(a) - m) + (load<f64>(b) - m));
    }
    const to = out + (<usize>x << 3);
    store<f64>(to, load<f64>(to) + sum);
  }
}

/** (a − m) + (b − m) */
// @ts-ignore: decorator
@inline function apart(a: v128, b: v128, m: v128): v128 {
  return f64x2.add(f64x2.sub(a, m), f64x2.sub(b, m));
}
