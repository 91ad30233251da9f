// Sums over sources with Jones matrices, for one vector of channels, in planes: see `planes.ts`.
//
//   right[a][s] = J_as K_as,  left[a][s] = right[a][s] B_s,  B = [[b0, b1 + i b2], [b1 - i b2, b3]]
//   vis[row(p, q)][c] += sum over s of tapers[i][s] left[p][s] right[q][s]^H
//
// Matrices of planes are four pairs of vectors. Splitting B between both sides would need a square root, which not every B
// has; on one side it costs eight real products per antenna, not per baseline.

import { lanes } from "./planes";
import { addTwo } from "./products";
import { rest, sinOfRest } from "./turns";

/** Real parts of the pairs of up to one vector of channels, `stride` bytes apart; those behind `channels` are 0. */
// @ts-ignore: decorator
@inline function gather<T>(at: usize, stride: usize, channels: i32): v128 {
  if (sizeof<T>() == 8) {
    const low = v128.load64_zero(at);
    return channels > 1 ? v128.load64_lane(at + stride, low, 1) : low;
  }
  let v = v128.load32_zero(at);
  if (channels > 1) v = v128.load32_lane(at + stride, v, 1);
  if (channels > 2) v = v128.load32_lane(at + 2 * stride, v, 2);
  if (channels > 3) v = v128.load32_lane(at + 3 * stride, v, 3);
  return v;
}

/**
 * `jones` is the matrix of source 0, antenna 0 and the first channel; strides lead to the next source, antenna and channel.
 * `weights` has four vectors for each source.
 */
// @ts-ignore: decorator
@inline export function jonesPhasors<T>(
  left: usize, right: usize, phasors: usize, weights: usize, jones: usize, sourceStride: usize, antennaStride: usize,
  sources: i32, antennas: i32, channels: i32,
): void {
  const size: usize = sizeof<T>(), stride = 8 * size;
  for (let a = 0; a < antennas; a++, jones += antennaStride) {
    let j = jones, w = weights;
    for (let s = 0; s < sources; s++, j += sourceStride, w += 64, phasors += 32, left += 128, right += 128) {
      const kr = v128.load(phasors), ki = v128.load(phasors, 16);
      for (let k: usize = 0; k < 4; k++) {
        const re = gather<T>(j + 2 * k * size, stride, channels), im = gather<T>(j + (2 * k + 1) * size, stride, channels);
        v128.store(right + 32 * k, v128.sub<T>(v128.mul<T>(re, kr), v128.mul<T>(im, ki)));
        v128.store(right + 32 * k, v128.add<T>(v128.mul<T>(re, ki), v128.mul<T>(im, kr)), 16);
      }
      const b0 = v128.load(w), b1 = v128.load(w, 16), b2 = v128.load(w, 32), b3 = v128.load(w, 48);
      for (let i: usize = 0; i < 128; i += 64) {
        const xr = v128.load(right + i), xi = v128.load(right + i, 16), yr = v128.load(right + i, 32), yi = v128.load(right + i, 48);
        v128.store(left + i, v128.add<T>(v128.add<T>(v128.mul<T>(xr, b0), v128.mul<T>(yr, b1)), v128.mul<T>(yi, b2)));
        v128.store(left + i, v128.sub<T>(v128.add<T>(v128.mul<T>(xi, b0), v128.mul<T>(yi, b1)), v128.mul<T>(yr, b2)), 16);
        v128.store(left + i, v128.sub<T>(v128.add<T>(v128.mul<T>(xr, b1), v128.mul<T>(yr, b3)), v128.mul<T>(xi, b2)), 32);
        v128.store(left + i, v128.add<T>(v128.add<T>(v128.mul<T>(xi, b1), v128.mul<T>(yi, b3)), v128.mul<T>(xr, b2)), 48);
      }
    }
  }
}

/** `pairs` has three i32 each: p, q, row. `tapers` is 0 where there are none. Visibilities have four correlations. */
// @ts-ignore: decorator
@inline export function jonesSums<T>(
  vis: usize, left: usize, right: usize, tapers: usize, pairs: usize, count: i32, sources: i32, channels: i32,
  rowStride: usize, channelStride: usize,
): void {
  if (tapers) rows<T>(true, vis, left, right, tapers, pairs, count, sources, channels, rowStride, channelStride);
  else rows<T>(false, vis, left, right, 0, pairs, count, sources, channels, rowStride, channelStride);
}

/** `tapered` is a constant, so that the loop over sources does not ask. */
// @ts-ignore: decorator
@inline function rows<T>(
  tapered: bool, vis: usize, left: usize, right: usize, tapers: usize, pairs: usize, count: i32, sources: i32,
  channels: i32, rowStride: usize, channelStride: usize,
): void {
  const antenna = <usize>sources << 7, bytes = <usize>sources << 4;
  for (const end = pairs + <usize>count * 12; pairs < end; pairs += 12, tapers += tapered ? bytes : 0) {
    const p = left + <usize>load<i32>(pairs) * antenna, q = right + <usize>load<i32>(pairs, 4) * antenna;
    const to = vis + <usize>load<i32>(pairs, 8) * rowStride;
    sumRow<T>(tapered, to, p, q, tapers, sources, channels, channelStride);
    sumRow<T>(tapered, to + 4 * sizeof<T>(), p + 64, q, tapers, sources, channels, channelStride);
  }
}

/** A row of the matrices: the products of row (x, y) of the left with both rows of the right. */
// @ts-ignore: decorator
@inline function sumRow<T>(
  tapered: bool, vis: usize, p: usize, q: usize, taper: usize, sources: i32, channels: i32, stride: usize,
): void {
  let re0 = v128.splat<T>(0), im0 = re0, re1 = re0, im1 = re0;
  for (const end = p + (<usize>sources << 7); p < end; p += 128, q += 128) {
    let xr = v128.load(p), xi = v128.load(p, 16), yr = v128.load(p, 32), yi = v128.load(p, 48);
    if (tapered) {
      const t = v128.load(taper);
      taper += 16;
      xr = v128.mul<T>(xr, t);
      xi = v128.mul<T>(xi, t);
      yr = v128.mul<T>(yr, t);
      yi = v128.mul<T>(yi, t);
    }
    let ar = v128.load(q), ai = v128.load(q, 16), br = v128.load(q, 32), bi = v128.load(q, 48);
    re0 = v128.add<T>(re0, v128.add<T>(realProduct<T>(xr, xi, ar, ai), realProduct<T>(yr, yi, br, bi)));
    im0 = v128.add<T>(im0, v128.add<T>(imagProduct<T>(xr, xi, ar, ai), imagProduct<T>(yr, yi, br, bi)));
    ar = v128.load(q, 64);
    ai = v128.load(q, 80);
    br = v128.load(q, 96);
    bi = v128.load(q, 112);
    re1 = v128.add<T>(re1, v128.add<T>(realProduct<T>(xr, xi, ar, ai), realProduct<T>(yr, yi, br, bi)));
    im1 = v128.add<T>(im1, v128.add<T>(imagProduct<T>(xr, xi, ar, ai), imagProduct<T>(yr, yi, br, bi)));
  }
  addTwo<T>(vis, stride, channels, re0, im0, re1, im1);
}

/** The real part of x conj(a). */
// @ts-ignore: decorator
@inline function realProduct<T>(xr: v128, xi: v128, ar: v128, ai: v128): v128 {
  return v128.add<T>(v128.mul<T>(xr, ar), v128.mul<T>(xi, ai));
}

// @ts-ignore: decorator
@inline function imagProduct<T>(xr: v128, xi: v128, ar: v128, ai: v128): v128 {
  return v128.sub<T>(v128.mul<T>(xi, ar), v128.mul<T>(xr, ai));
}

// Smearing: tapers[i][s] = tapers[i][s] sinc(widths[c] delay) sinc(rate frequency[c]), sinc(x) = sin(pi x) / (pi x).
//
//   delay = (u l + v m + w (n - 1)) / c,   rate = (u' l + v' m + w' (n - 1)) / c,   of the baseline
//   (u', v', w') = turn (w cosDec - v sinDec, u sinDec, -u cosDec): what UVW change within the interval

/**
 * `pairs` as in `sums.ts`; baselines are uvw[p] - uvw[q], or uvw[p] with q = -1. `turn` is the angle by which the sky turns, times
 * the interval of the row where there are `intervals`, which may be 0: none.
 */
// @ts-ignore: decorator
@inline export function smearTapers<T>(
  tapers: usize, lmn: usize, uvw: usize, pairs: usize, frequency: usize, widths: usize, intervals: usize,
  count: i32, sources: i32, channels: i32, turnSin: f64, turnCos: f64, speed: f64,
): void {
  for (let i = 0; i < count; i++, pairs += 12) {
    const p = uvw + <usize>load<i32>(pairs) * 24, second = load<i32>(pairs, 4);
    let u = load<f64>(p), v = load<f64>(p, 8), w = load<f64>(p, 16);
    if (second >= 0) {
      const q = uvw + <usize>second * 24;
      u -= load<f64>(q);
      v -= load<f64>(q, 8);
      w -= load<f64>(q, 16);
    }
    const interval = intervals == 0 ? 1.0 : load<f64>(intervals + (<usize>load<i32>(pairs, 8) << 3));
    const du = w * turnCos - v * turnSin, dv = u * turnSin, dw = -u * turnCos;
    for (let s = 0, at = lmn; s < sources; s++, at += 24, tapers += 16) {
      const l = load<f64>(at), m = load<f64>(at, 8), n1 = load<f64>(at, 16);
      const delay = (u * l + v * m + w * n1) / speed, rate = (du * l + dv * m + dw * n1) / speed * interval;
      for (let c = 0; c < channels; c++) {
        const to = tapers + <usize>c * sizeof<T>(), f = <usize>c << 3;
        const seen = sinc(delay * load<f64>(widths + f)) * sinc(rate * load<f64>(frequency + f));
        store<T>(to, <T>(<f64>load<T>(to) * seen));
      }
    }
  }
}

/** sin(pi x) / (pi x). */
// @ts-ignore: decorator
@inline function sinc(x: f64): f64 {
  if (x == 0.0) return 1.0;
  return f64x2.extract_lane(sinOfRest<f64>(rest(f64x2.splat(0.5 * x))), 0) / (3.141592653589793 * x);
}
