// beam_jones: jones[s][r][c] = jones[s][r][c] E(s, r, c), r being time * antennas + antenna, E from a cube over (l, m, nu).
//
//   (l, m) = lm[s] + offsets[r][c]                                           pointing errors
//   (l, m) = (l cos - m sin, l sin + m cos) of turns[r]
//   (l, m) = (l, m) * scaling[antenna][c] * scale of the channel
//   x = (l - l0) * lStep, y = (m - m0) * mStep, clamped to the cube; z = position of the channel in nu
//   over the 8 corners k with trilinear weights w:  sum w E_k  gives the phase,  sum w |E_k|  the magnitude
//
// - The cube has its correlations together, so that a corner is one read of 4 complex numbers.
// - A sum whose magnitude is 0 has no phase; it stays 0.
// - Positions and weights are in f64 for f32 as well: a position of f32 would be off by 1e-5 in a cube of 256.

import { matrixBytes, product } from "./matrix";

// @ts-ignore: decorator
@inline export function beamJones<T>(
  jones: usize, lm: usize, offsets: usize, turns: usize, scaling: usize, channelTable: usize, beam: usize, work: usize,
  sources: i32, rows: i32, antennas: i32, channels: i32,
  l0: f64, lStep: f64, m0: f64, mStep: f64, width: i32, height: i32, slices: i32,
): void {
  for (let s = 0; s < sources; s++, lm += 16) {
    let offset = offsets;
    for (let r = 0; r < rows; r++) {
      const cos = turns ? load<f64>(turns + ((<usize>r) << 4)) : 1.0, sin = turns ? load<f64>(turns + ((<usize>r) << 4), 8) : 0.0;
      let scale = scaling + <usize>(r % antennas) * (<usize>channels << 4);
      for (let c = 0, entry = channelTable; c < channels; c++, entry += 16, jones += matrixBytes<T>()) {
        let l = load<f64>(lm), m = load<f64>(lm, 8);
        if (offsets) {
          l += load<f64>(offset);
          m += load<f64>(offset, 8);
          offset += 16;
        }
        let x = l * cos - m * sin, y = l * sin + m * cos;
        if (scaling) {
          x *= load<f64>(scale);
          y *= load<f64>(scale, 8);
          scale += 16;
        }
        const far = load<f64>(entry, 8);
        x = clamped((x * far - l0) * lStep, width);
        y = clamped((y * far - m0) * mStep, height);
        interpolate<T>(work, beam, x, y, load<f64>(entry), width, height, slices);
        product<T>(jones, jones, work);
      }
    }
  }
}

/** A position on an axis of `n` samples; NaN stays NaN. */
// @ts-ignore: decorator
@inline function clamped(x: f64, n: i32): f64 {
  return max<f64>(0.0, min<f64>(x, <f64>(n - 1)));
}

/** Whether corner `k` is the upper one: its index, and its weight. */
// @ts-ignore: decorator
@inline function corner(k: i32, x: f64, n: i32): i32 {
  const lower = <i32>x;
  return k ? min<i32>(lower + 1, n - 1) : lower;
}

// @ts-ignore: decorator
@inline function weight(k: i32, x: f64): f64 {
  const upper = x - trunc<f64>(x);
  return k ? upper : 1.0 - upper;
}

/** The 2x2 matrix at (x, y, z) of the cube, to `out`. */
// @ts-ignore: decorator
@inline function interpolate<T>(out: usize, beam: usize, x: f64, y: f64, z: f64, width: i32, height: i32, slices: i32): void {
  let s0 = i64x2.splat(0), s1 = i64x2.splat(0), s2 = i64x2.splat(0), s3 = i64x2.splat(0); // sums of pairs; of f32 two each
  let a0 = i64x2.splat(0), a1 = i64x2.splat(0); // sums of magnitudes
  for (let i = 0; i < 2; i++) {
    for (let j = 0; j < 2; j++) {
      const plane = (corner(i, x, width) * height + corner(j, y, height)) * slices, across = weight(i, x) * weight(j, y);
      for (let k = 0; k < 2; k++) {
        const at = beam + <usize>(plane + corner(k, z, slices)) * matrixBytes<T>(), w = across * weight(k, z);
        if (sizeof<T>() == 8) {
          const b0 = v128.load(at), b1 = v128.load(at, 16), b2 = v128.load(at, 32), b3 = v128.load(at, 48), ww = f64x2.splat(w);
          s0 = f64x2.add(s0, f64x2.mul(ww, b0));
          s1 = f64x2.add(s1, f64x2.mul(ww, b1));
          s2 = f64x2.add(s2, f64x2.mul(ww, b2));
          s3 = f64x2.add(s3, f64x2.mul(ww, b3));
          a0 = f64x2.add(a0, f64x2.mul(ww, magnitudes64(b0, b1)));
          a1 = f64x2.add(a1, f64x2.mul(ww, magnitudes64(b2, b3)));
        } else {
          const b0 = v128.load(at), b1 = v128.load(at, 16), ww = f32x4.splat(<f32>w);
          s0 = f32x4.add(s0, f32x4.mul(ww, b0));
          s1 = f32x4.add(s1, f32x4.mul(ww, b1));
          a0 = f32x4.add(a0, f32x4.mul(ww, magnitudes32(b0, b1)));
        }
      }
    }
  }
  if (sizeof<T>() == 8) {
    const f0 = ratio64(a0, magnitudes64(s0, s1)), f1 = ratio64(a1, magnitudes64(s2, s3));
    v128.store(out, f64x2.mul(s0, i64x2.shuffle(f0, f0, 0, 0)));
    v128.store(out, f64x2.mul(s1, i64x2.shuffle(f0, f0, 1, 1)), 16);
    v128.store(out, f64x2.mul(s2, i64x2.shuffle(f1, f1, 0, 0)), 32);
    v128.store(out, f64x2.mul(s3, i64x2.shuffle(f1, f1, 1, 1)), 48);
  } else {
    const sum = magnitudes32(s0, s1), f = v128.and(f32x4.div(a0, sum), f32x4.ne(sum, f32x4.splat(0)));
    v128.store(out, f32x4.mul(s0, i32x4.shuffle(f, f, 0, 0, 1, 1)));
    v128.store(out, f32x4.mul(s1, i32x4.shuffle(f, f, 2, 2, 3, 3)), 16);
  }
}

/** a / sum, or 0 where sum is 0. */
// @ts-ignore: decorator
@inline function ratio64(a: v128, sum: v128): v128 {
  return v128.and(f64x2.div(a, sum), f64x2.ne(sum, f64x2.splat(0)));
}

// @ts-ignore: decorator
@inline function magnitudes64(a: v128, b: v128): v128 {
  const aa = f64x2.mul(a, a), bb = f64x2.mul(b, b);
  return f64x2.sqrt(f64x2.add(i64x2.shuffle(aa, bb, 0, 2), i64x2.shuffle(aa, bb, 1, 3)));
}

// @ts-ignore: decorator
@inline function magnitudes32(a: v128, b: v128): v128 {
  const aa = f32x4.mul(a, a), bb = f32x4.mul(b, b);
  return f32x4.sqrt(f32x4.add(i32x4.shuffle(aa, bb, 0, 2, 4, 6), i32x4.shuffle(aa, bb, 1, 3, 5, 7)));
}
