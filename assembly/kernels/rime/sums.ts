// Sums over sources with several real weights per source: what polarised and extended sources need.
//
//   E = phasors[p][s] conj(phasors[q][s]) · tapers[i][s];   vis[row][c][k] += Σ_s weights[s][k] E
//
// For one vector of channels. `pairs` has three i32 each: p, q, and the row; with q = -1, E is phasors[p][s]. All linear
// combinations of Stokes parameters have real weights, so one complex phase serves up to four of them.

import { addLanes } from "./products";

/** `tapers` is 0 where there are none; `planes` is 1, 2 or 4. */
// @ts-ignore: decorator
@inline export function rimeSums<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, planes: i32,
  channels: i32, rowStride: usize, channelStride: usize,
): void {
  for (let i = 0; i < count; i++, pairs += 12) {
    const antenna = <usize>sources << 5;
    const p = phasors + <usize>load<i32>(pairs) * antenna;
    const second = load<i32>(pairs, 4);
    const q = second < 0 ? 0 : phasors + <usize>second * antenna;
    const taper = tapers == 0 ? 0 : tapers + ((<usize>i * <usize>sources) << 4);
    const to = vis + <usize>load<i32>(pairs, 8) * rowStride;
    if (planes == 1) sums1<T>(to, p, q, weights, taper, sources, channels, channelStride);
    else if (planes == 2) sums2<T>(to, p, q, weights, taper, sources, channels, channelStride);
    else sums4<T>(to, p, q, weights, taper, sources, channels, channelStride);
  }
}

// @ts-ignore: decorator
@inline function realOf<T>(p: usize, q: usize, taper: usize, at: usize): v128 {
  let re = v128.load(p);
  if (q != 0) re = v128.add<T>(v128.mul<T>(re, v128.load(q)), v128.mul<T>(v128.load(p, 16), v128.load(q, 16)));
  if (taper != 0) re = v128.mul<T>(re, v128.load(taper + at));
  return re;
}

// @ts-ignore: decorator
@inline function imagOf<T>(p: usize, q: usize, taper: usize, at: usize): v128 {
  let im = v128.load(p, 16);
  if (q != 0) im = v128.sub<T>(v128.mul<T>(im, v128.load(q)), v128.mul<T>(v128.load(p), v128.load(q, 16)));
  if (taper != 0) im = v128.mul<T>(im, v128.load(taper + at));
  return im;
}

// @ts-ignore: decorator
@inline function next(q: usize): usize {
  return q == 0 ? 0 : q + 32;
}

// @ts-ignore: decorator
@inline function sums1<T>(
  vis: usize, p: usize, q: usize, weights: usize, taper: usize, sources: i32, channels: i32, stride: usize,
): void {
  let re0 = v128.splat<T>(0), im0 = re0;
  for (let at: usize = 0, end = <usize>sources << 4; at < end; at += 16, p += 32, q = next(q)) {
    const re = realOf<T>(p, q, taper, at), im = imagOf<T>(p, q, taper, at);
    const w = v128.load(weights + at);
    re0 = v128.add<T>(re0, v128.mul<T>(w, re));
    im0 = v128.add<T>(im0, v128.mul<T>(w, im));
  }
  addLanes<T>(vis, stride, channels, re0, im0);
}

// @ts-ignore: decorator
@inline function sums2<T>(
  vis: usize, p: usize, q: usize, weights: usize, taper: usize, sources: i32, channels: i32, stride: usize,
): void {
  let re0 = v128.splat<T>(0), im0 = re0, re1 = re0, im1 = re0;
  for (let at: usize = 0, end = <usize>sources << 4; at < end; at += 16, p += 32, q = next(q), weights += 32) {
    const re = realOf<T>(p, q, taper, at), im = imagOf<T>(p, q, taper, at);
    let w = v128.load(weights);
    re0 = v128.add<T>(re0, v128.mul<T>(w, re));
    im0 = v128.add<T>(im0, v128.mul<T>(w, im));
    w = v128.load(weights, 16);
    re1 = v128.add<T>(re1, v128.mul<T>(w, re));
    im1 = v128.add<T>(im1, v128.mul<T>(w, im));
  }
  addLanes<T>(vis, stride, channels, re0, im0);
  addLanes<T>(vis + 2 * sizeof<T>(), stride, channels, re1, im1);
}

// @ts-ignore: decorator
@inline function sums4<T>(
  vis: usize, p: usize, q: usize, weights: usize, taper: usize, sources: i32, channels: i32, stride: usize,
): void {
  let re0 = v128.splat<T>(0), im0 = re0, re1 = re0, im1 = re0;
  let re2 = re0, im2 = re0, re3 = re0, im3 = re0;
  for (let at: usize = 0, end = <usize>sources << 4; at < end; at += 16, p += 32, q = next(q), weights += 64) {
    const re = realOf<T>(p, q, taper, at), im = imagOf<T>(p, q, taper, at);
    let w = v128.load(weights);
    re0 = v128.add<T>(re0, v128.mul<T>(w, re));
    im0 = v128.add<T>(im0, v128.mul<T>(w, im));
    w = v128.load(weights, 16);
    re1 = v128.add<T>(re1, v128.mul<T>(w, re));
    im1 = v128.add<T>(im1, v128.mul<T>(w, im));
    w = v128.load(weights, 32);
    re2 = v128.add<T>(re2, v128.mul<T>(w, re));
    im2 = v128.add<T>(im2, v128.mul<T>(w, im));
    w = v128.load(weights, 48);
    re3 = v128.add<T>(re3, v128.mul<T>(w, re));
    im3 = v128.add<T>(im3, v128.mul<T>(w, im));
  }
  addLanes<T>(vis, stride, channels, re0, im0);
  addLanes<T>(vis + 2 * sizeof<T>(), stride, channels, re1, im1);
  addLanes<T>(vis + 4 * sizeof<T>(), stride, channels, re2, im2);
  addLanes<T>(vis + 6 * sizeof<T>(), stride, channels, re3, im3);
}

/**
 * From sums to correlations, in place, for `count` visibilities: `how` 1 makes (a, b, c, d) into (a, b + ic, b - ic, d), 2
 * copies the first of `correlations` to the last and clears those between.
 */
// @ts-ignore: decorator
@inline export function rimeCorrelations<T>(vis: usize, count: i32, correlations: i32, how: i32): void {
  const stride = <usize>correlations * 2 * sizeof<T>();
  for (let i = 0; i < count; i++, vis += stride) {
    if (how == 1) {
      const b = 2 * sizeof<T>(), c = 4 * sizeof<T>();
      const br = load<T>(vis, b), bi = load<T>(vis + sizeof<T>(), b);
      const cr = load<T>(vis, c), ci = load<T>(vis + sizeof<T>(), c);
      store<T>(vis, br - ci, b);
      store<T>(vis + sizeof<T>(), bi + cr, b);
      store<T>(vis, br + ci, c);
      store<T>(vis + sizeof<T>(), bi - cr, c);
    } else {
      const re = load<T>(vis), im = load<T>(vis + sizeof<T>());
      const last = vis + stride - 2 * sizeof<T>();
      for (let p = vis + 2 * sizeof<T>(); p < last; p += sizeof<T>()) store<T>(p, 0);
      store<T>(last, re);
      store<T>(last + sizeof<T>(), im);
    }
  }
}
