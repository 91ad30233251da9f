// The real weights of sources for one vector of channels: linear combinations of their Stokes parameters at each frequency.
//
//   out[s][k][lane] = Σ_j combine[k][j] stokes[s][c][j] spectrum
//
// Spectra: 0 none; 1 the power law (ν / ν0)^(t0 + t1 lg x + t2 lg² x …), x = ν / ν0, of all four parameters; 2 the polynomial
// I + t0 (x - 1) + t1 (x - 1)^2 …, of I alone.

import { exp, ln } from "./exp";
import { lanes } from "./planes";

const LG_E: f64 = 0.4342944819032518;

/** Σ t[i] y^i. */
// @ts-ignore: decorator
@inline function polynomial(terms: usize, count: i32, y: f64): f64 {
  let sum: f64 = 0;
  for (let i = count - 1; i >= 0; i--) sum = sum * y + load<f64>(terms + (<usize>i << 3));
  return sum;
}

/**
 * Stokes parameters are four f64; those of sources are `sourceStride` bytes apart, those of channels `channelStride`.
 * `channels` counts those of this vector.
 */
// @ts-ignore: decorator
@inline export function rimeBrightness<T>(
  out: usize, stokes: usize, sourceStride: usize, channelStride: usize, combine: usize, planes: i32, frequency: usize,
  reference: usize, terms: usize, termCount: i32, spectrum: i32, sources: i32, channels: i32,
): void {
  for (let s = 0; s < sources; s++, stokes += sourceStride, reference += 8, terms += <usize>termCount << 3) {
    for (let lane = 0; lane < lanes<T>(); lane++) {
      const to = out + <usize>lane * sizeof<T>(), c = min(lane, channels - 1);
      const at = stokes + <usize>c * channelStride;
      let factor: f64 = 1, more: f64 = 0;
      if (spectrum != 0) {
        const x = load<f64>(frequency + (<usize>c << 3)) / load<f64>(reference);
        if (spectrum == 1) {
          const y = ln(x);
          factor = f64x2.extract_lane(exp<f64>(f64x2.splat(y * polynomial(terms, termCount, y * LG_E))), 0);
        } else more = (x - 1) * polynomial(terms, termCount, x - 1);
      }
      const i = factor * load<f64>(at) + more, q = factor * load<f64>(at, 8);
      const u = factor * load<f64>(at, 16), v = factor * load<f64>(at, 24);
      for (let k = 0, row = combine; k < planes; k++, row += 32) {
        const sum = load<f64>(row) * i + load<f64>(row, 8) * q + load<f64>(row, 16) * u + load<f64>(row, 24) * v;
        store<T>(to + (<usize>k << 4), <T>sum);
      }
    }
    out += <usize>planes << 4;
  }
}
