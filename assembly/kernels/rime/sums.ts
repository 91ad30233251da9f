// Sums over sources with several real weights per source: what polarised and extended sources need.
//
//   E = phasors[p][s] conj(phasors[q][s]) · tapers[i][s];   vis[row][c][k] += Σ_s weights[s][k] E
//
// All vectors of channels of a row follow each other: they lie side by side in memory, where rows are so far apart that each
// begins a page of its own. `pairs` has three i32 each: p, q, and the row; with q = -1, E is phasors[p][s]. All linear
// combinations of Stokes parameters have real weights, so one complex phase serves up to four of them.

import { lanes } from "./planes";
import { addFour, addLanes } from "./products";

/** One weight per source, whose sum is added to the first and the last of four correlations. */
const EQUAL: i32 = 3;

/** What sums are over: known before each loop over sources, so that the loop does not ask. */
const enum Seen {
  /** The phasor of one row. */
  ROW,
  /** The product of two phasors. */
  PAIR,
  /** The product of two phasors and a taper. */
  TAPERED,
}

/** `tapers` is 0 where there are none; `planes` is 1, 2, 4, or `EQUAL`; each vector has `antennas` rows of phasors. */
// @ts-ignore: decorator
@inline export function rimeSums<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, planes: i32,
  channels: i32, antennas: i32, rowStride: usize, channelStride: usize,
): void {
  if (planes == 1) one<T>(vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, channelStride);
  else if (planes == 2) two<T>(vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, channelStride);
  else if (planes == EQUAL) equal<T>(vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, channelStride);
  else four<T>(vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, channelStride);
}

// A function for each number of weights: in one function, the optimizer would make one loop of all their loops, which asks for
// the number at every source and takes up to half as long again.

function one<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, channels: i32,
  antennas: i32, rowStride: usize, stride: usize,
): void {
  rows<T>(1, vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, stride);
}

function two<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, channels: i32,
  antennas: i32, rowStride: usize, stride: usize,
): void {
  rows<T>(2, vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, stride);
}

function equal<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, channels: i32,
  antennas: i32, rowStride: usize, stride: usize,
): void {
  rows<T>(EQUAL, vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, stride);
}

function four<T>(
  vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32, channels: i32,
  antennas: i32, rowStride: usize, stride: usize,
): void {
  rows<T>(4, vis, phasors, weights, tapers, pairs, count, sources, channels, antennas, rowStride, stride);
}

// @ts-ignore: decorator
@inline function rows<T>(
  planes: i32, vis: usize, phasors: usize, weights: usize, tapers: usize, pairs: usize, count: i32, sources: i32,
  channels: i32, antennas: i32, rowStride: usize, stride: usize,
): void {
  const antenna = <usize>sources << 5, bytes = <usize>sources << 4;
  const plane = <usize>antennas * antenna, ofPairs = <usize>count * bytes;
  const ofWeights = <usize>(planes == EQUAL ? 1 : planes) * bytes;
  for (let taper = tapers, end = pairs + <usize>count * 12; pairs < end; pairs += 12, taper += bytes) {
    const second = load<i32>(pairs, 4);
    let p = phasors + <usize>load<i32>(pairs) * antenna, q = phasors + <usize>second * antenna, w = weights, t = taper;
    let to = vis + <usize>load<i32>(pairs, 8) * rowStride;
    for (let c = 0; c < channels; c += lanes<T>()) {
      const some = min(channels - c, lanes<T>());
      if (second >= 0 && tapers == 0) sums<T>(Seen.PAIR, planes, to, p, q, w, 0, sources, some, stride);
      else if (second >= 0) sums<T>(Seen.TAPERED, planes, to, p, q, w, t, sources, some, stride);
      else sums<T>(Seen.ROW, planes, to, p, 0, w, tapers == 0 ? 0 : t, sources, some, stride);
      p += plane;
      q += plane;
      w += ofWeights;
      t += ofPairs;
      to += <usize>lanes<T>() * stride;
    }
  }
}

// @ts-ignore: decorator
@inline function realOf<T>(seen: Seen, p: usize, q: usize, taper: usize): v128 {
  let re = v128.load(p);
  if (seen != Seen.ROW) re = v128.add<T>(v128.mul<T>(re, v128.load(q)), v128.mul<T>(v128.load(p, 16), v128.load(q, 16)));
  if (seen == Seen.TAPERED || seen == Seen.ROW && taper != 0) re = v128.mul<T>(re, v128.load(taper));
  return re;
}

// @ts-ignore: decorator
@inline function imagOf<T>(seen: Seen, p: usize, q: usize, taper: usize): v128 {
  let im = v128.load(p, 16);
  if (seen != Seen.ROW) im = v128.sub<T>(v128.mul<T>(im, v128.load(q)), v128.mul<T>(v128.load(p), v128.load(q, 16)));
  if (seen == Seen.TAPERED || seen == Seen.ROW && taper != 0) im = v128.mul<T>(im, v128.load(taper));
  return im;
}

/** `seen` and `planes` are constants, so that each of them is a loop of its own. */
// @ts-ignore: decorator
@inline function sums<T>(
  seen: Seen, planes: i32, vis: usize, p: usize, q: usize, weights: usize, taper: usize, sources: i32, channels: i32,
  stride: usize,
): void {
  let re0 = v128.splat<T>(0), im0 = re0, re1 = re0, im1 = re0;
  let re2 = re0, im2 = re0, re3 = re0, im3 = re0;
  const step: usize = planes == EQUAL ? 16 : <usize>planes << 4;
  for (const end = weights + <usize>sources * step; weights < end; weights += step, p += 32) {
    const re = realOf<T>(seen, p, q, taper), im = imagOf<T>(seen, p, q, taper);
    let w = v128.load(weights);
    re0 = v128.add<T>(re0, v128.mul<T>(w, re));
    im0 = v128.add<T>(im0, v128.mul<T>(w, im));
    if (planes == 2 || planes == 4) {
      w = v128.load(weights, 16);
      re1 = v128.add<T>(re1, v128.mul<T>(w, re));
      im1 = v128.add<T>(im1, v128.mul<T>(w, im));
    }
    if (planes == 4) {
      w = v128.load(weights, 32);
      re2 = v128.add<T>(re2, v128.mul<T>(w, re));
      im2 = v128.add<T>(im2, v128.mul<T>(w, im));
      w = v128.load(weights, 48);
      re3 = v128.add<T>(re3, v128.mul<T>(w, re));
      im3 = v128.add<T>(im3, v128.mul<T>(w, im));
    }
    if (seen != Seen.ROW) q += 32;
    if (seen == Seen.TAPERED || seen == Seen.ROW && taper != 0) taper += 16;
  }
  if (planes == 4) {
    addFour<T>(vis, stride, channels, re0, im0, re1, im1, re2, im2, re3, im3);
    return;
  }
  addLanes<T>(vis, stride, channels, re0, im0);
  if (planes == 2) addLanes<T>(vis + 2 * sizeof<T>(), stride, channels, re1, im1);
  if (planes == EQUAL) addLanes<T>(vis + 6 * sizeof<T>(), stride, channels, re0, im0);
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
