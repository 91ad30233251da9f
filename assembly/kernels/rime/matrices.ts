// Planes of Jones matrices: each antenna is two rows, one per feed, each source two terms, so that products of planes are
// products of matrices: V = Σ_s (J_p K_p B) (J_q K_q)^H.
//
//   right[2 a + i][2 s + k] = J[i][k] K,   left[2 a + i][2 s + k] = Σ_j J[i][j] B[j][k] K
//
// For one vector of channels. B is Hermitian, of four real weights a, b, c, d per source: [[a, b + ic], [b - ic, d]].

import { lanes } from "./planes";

/**
 * The number `k` of the matrices of `channels` channels, which are four complex numbers each, as a vector; 0 behind the last.
 * `part` 0: real parts, 1: imaginary parts.
 */
// @ts-ignore: decorator
@inline function entry<T>(at: usize, k: i32, part: i32, channels: i32): v128 {
  const p = at + <usize>(2 * k + part) * sizeof<T>(), step: usize = 8 * sizeof<T>();
  let v = v128.splat<T>(load<T>(p));
  if (sizeof<T>() == 8) return v128.replace_lane<T>(v, 1, channels > 1 ? load<T>(p + step) : 0);
  v = v128.replace_lane<T>(v, 1, channels > 1 ? load<T>(p + step) : 0);
  v = v128.replace_lane<T>(v, 2, channels > 2 ? load<T>(p + 2 * step) : 0);
  return v128.replace_lane<T>(v, 3, channels > 3 ? load<T>(p + 3 * step) : 0);
}

// @ts-ignore: decorator
@inline function realOf<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.sub<T>(v128.mul<T>(a, c), v128.mul<T>(b, d));
}

// @ts-ignore: decorator
@inline function imagOf<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.add<T>(v128.mul<T>(a, d), v128.mul<T>(b, c));
}

/** `sourceStride` and `antennaStride` in bytes; `channels` counts those of this vector. */
// @ts-ignore: decorator
@inline export function rimeJones<T>(
  left: usize, right: usize, jones: usize, phasors: usize, weights: usize, sources: i32, antennas: i32, channels: i32,
  sourceStride: usize, antennaStride: usize,
): void {
  const row = <usize>sources << 6;
  for (let n = 0; n < antennas; n++, jones += antennaStride, left += row, right += row) {
    let w = weights, from = jones;
    for (let s = 0; s < sources; s++, w += 64, from += sourceStride, phasors += 32, left += 64, right += 64) {
      const kr = v128.load(phasors), ki = v128.load(phasors, 16);
      const a = v128.load(w), b = v128.load(w, 16), c = v128.load(w, 32), d = v128.load(w, 48);
      for (let i = 0; i < 2; i++) {
        const r0 = entry<T>(from, 2 * i, 0, channels), i0 = entry<T>(from, 2 * i, 1, channels);
        const r1 = entry<T>(from, 2 * i + 1, 0, channels), i1 = entry<T>(from, 2 * i + 1, 1, channels);
        const x0 = realOf<T>(r0, i0, kr, ki), y0 = imagOf<T>(r0, i0, kr, ki);
        const x1 = realOf<T>(r1, i1, kr, ki), y1 = imagOf<T>(r1, i1, kr, ki);
        const at = <usize>i * row, to = left + at, out = right + at;
        v128.store(out, x0);
        v128.store(out, y0, 16);
        v128.store(out, x1, 32);
        v128.store(out, y1, 48);
        v128.store(to, v128.add<T>(v128.mul<T>(a, x0), v128.add<T>(v128.mul<T>(b, x1), v128.mul<T>(c, y1))));
        v128.store(to, v128.add<T>(v128.mul<T>(a, y0), v128.sub<T>(v128.mul<T>(b, y1), v128.mul<T>(c, x1))), 16);
        v128.store(to, v128.add<T>(v128.sub<T>(v128.mul<T>(b, x0), v128.mul<T>(c, y0)), v128.mul<T>(d, x1)), 32);
        v128.store(to, v128.add<T>(v128.add<T>(v128.mul<T>(b, y0), v128.mul<T>(c, x0)), v128.mul<T>(d, y1)), 48);
      }
    }
  }
}
