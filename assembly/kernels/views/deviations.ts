// add_deviations: weighted deviations of samples from the one in their middle, for symmetric weights.
//
//   out[i] += w[0] ((d[0] − m) + (d[count − 1] − m)) + w[1] ((d[1] − m) + (d[count − 2] − m)) + …     d[k] = data[i + k steps]
//
// m is the sample in the middle, d[half]. Nothing cancels, however far the samples are from 0. A result depends on its own
// samples only.

import { f64x2At } from "../widen";
import { product } from "./weigh";

// @ts-ignore: decorator
@inline export function addDeviations<T>(out: usize, data: usize, n: i32, step: usize, weights: usize, count: i32): void {
  const half = count >> 1, far = <usize>(count - 1) * step, two = 2 * sizeof<T>();
  let x = 0;
  for (; x + 4 <= n; x += 4) {
    let a = data + <usize>x * sizeof<T>(), b = a + far, w = weights;
    const p = a + <usize>half * step, m0 = f64x2At<T>(p, false), m1 = f64x2At<T>(p + two, false);
    let s0 = f64x2.splat(0), s1 = s0;
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      const weight = v128.load64_splat(w);
      s0 = product<f64>(s0, weight, apart(f64x2At<T>(a, false), f64x2At<T>(b, false), m0));
      s1 = product<f64>(s1, weight, apart(f64x2At<T>(a + two, false), f64x2At<T>(b + two, false), m1));
    }
    const to = out + (<usize>x << 3);
    v128.store(to, f64x2.add(v128.load(to), s0));
    v128.store(to, f64x2.add(v128.load(to, 16), s1), 16);
  }
  for (; x < n; x++) {
    let a = data + <usize>x * sizeof<T>(), b = a + far, w = weights, sum: f64 = 0;
    const m = <f64>load<T>(a + <usize>half * step);
    for (let k = half; k > 0; k--, a += step, b -= step, w += 8) {
      sum += load<f64>(w) * ((<f64>load<T>(a) - m) + (<f64>load<T>(b) - m));
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
