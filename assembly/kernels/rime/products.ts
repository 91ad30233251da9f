// Sums of products over sources: the visibilities of baselines p, q for one vector of channels.
//
//   vis[row(p, q)][c] += Σ_s left[p][s] conj(right[q][s])
//
// Four baselines at a time, of two antennas on each side: what is loaded once is used twice, and eight sums stay in
// registers. `blocks` has eight i32 each: p0, p1, q0, q1, and the rows of (p0, q0), (p0, q1), (p1, q0), (p1, q1); -1: none.

import { lanes } from "./planes";

/** Adds the lanes of re and im to `channels` visibilities; one sum of a group of sources at a time. */
// @ts-ignore: decorator
@inline export function addLanes<T>(vis: usize, stride: usize, channels: i32, re: v128, im: v128): void {
  if (sizeof<T>() == 8) {
    v128.store(vis, f64x2.add(v128.load(vis), i64x2.shuffle(re, im, 0, 2)));
    if (channels > 1) {
      vis += stride;
      v128.store(vis, f64x2.add(v128.load(vis), i64x2.shuffle(re, im, 1, 3)));
    }
    return;
  }
  let pairs = i32x4.shuffle(re, im, 0, 4, 1, 5);
  for (let c = 0; c < channels; c++, vis += stride) {
    v128.store64_lane(vis, f32x4.add(v128.load64_zero(vis), pairs), 0);
    pairs = c == 1 ? i32x4.shuffle(re, im, 2, 6, 3, 7) : i64x2.shuffle(pairs, pairs, 1, 1);
  }
}

/** Adds the lanes of two sums to `channels` visibilities, of two correlations that follow each other. */
// @ts-ignore: decorator
@inline export function addTwo<T>(
  vis: usize, stride: usize, channels: i32, re0: v128, im0: v128, re1: v128, im1: v128,
): void {
  if (sizeof<T>() == 8) {
    addLanes<T>(vis, stride, channels, re0, im0);
    addLanes<T>(vis + 16, stride, channels, re1, im1);
    return;
  }
  let a = i32x4.shuffle(re0, im0, 0, 4, 1, 5), b = i32x4.shuffle(re1, im1, 0, 4, 1, 5);
  for (let c = 0; c < channels; c++, vis += stride) {
    v128.store(vis, f32x4.add(v128.load(vis), i64x2.shuffle(a, b, 0, 2)));
    a = c == 1 ? i32x4.shuffle(re0, im0, 2, 6, 3, 7) : i64x2.shuffle(a, a, 1, 1);
    b = c == 1 ? i32x4.shuffle(re1, im1, 2, 6, 3, 7) : i64x2.shuffle(b, b, 1, 1);
  }
}

/** Adds the lanes of four sums to `channels` visibilities of four correlations, which follow each other. */
// @ts-ignore: decorator
@inline export function addFour<T>(
  vis: usize, stride: usize, channels: i32, re0: v128, im0: v128, re1: v128, im1: v128, re2: v128, im2: v128, re3: v128,
  im3: v128,
): void {
  addTwo<T>(vis, stride, channels, re0, im0, re1, im1);
  addTwo<T>(vis + 4 * sizeof<T>(), stride, channels, re2, im2, re3, im3);
}

// @ts-ignore: decorator
@inline function addRow<T>(
  vis: usize, row: i32, rowStride: usize, stride: usize, channels: i32, re: v128, im: v128,
): void {
  if (row >= 0) addLanes<T>(vis + <usize>row * rowStride, stride, channels, re, im);
}

/** `channels` counts those of this vector; visibilities of one row are `channelStride` bytes apart. */
// @ts-ignore: decorator
@inline export function rimeProducts<T>(
  vis: usize, left: usize, right: usize, blocks: usize, count: i32, sources: i32, channels: i32, rowStride: usize,
  channelStride: usize,
): void {
  const antenna = <usize>sources << 5;
  for (let end = blocks + (<usize>count << 5); blocks < end; blocks += 32) {
    let p0 = left + <usize>load<i32>(blocks) * antenna, p1 = left + <usize>load<i32>(blocks, 4) * antenna;
    let q0 = right + <usize>load<i32>(blocks, 8) * antenna, q1 = right + <usize>load<i32>(blocks, 12) * antenna;
    let re00 = v128.splat<T>(0), im00 = re00, re01 = re00, im01 = re00;
    let re10 = re00, im10 = re00, re11 = re00, im11 = re00;
    for (const last = p0 + antenna; p0 < last; p0 += 32, p1 += 32, q0 += 32, q1 += 32) {
      const a = v128.load(p0), b = v128.load(p0, 16), c = v128.load(p1), d = v128.load(p1, 16);
      let x = v128.load(q0), y = v128.load(q0, 16);
      re00 = v128.add<T>(v128.add<T>(re00, v128.mul<T>(a, x)), v128.mul<T>(b, y));
      im00 = v128.sub<T>(v128.add<T>(im00, v128.mul<T>(b, x)), v128.mul<T>(a, y));
      re10 = v128.add<T>(v128.add<T>(re10, v128.mul<T>(c, x)), v128.mul<T>(d, y));
      im10 = v128.sub<T>(v128.add<T>(im10, v128.mul<T>(d, x)), v128.mul<T>(c, y));
      x = v128.load(q1);
      y = v128.load(q1, 16);
      re01 = v128.add<T>(v128.add<T>(re01, v128.mul<T>(a, x)), v128.mul<T>(b, y));
      im01 = v128.sub<T>(v128.add<T>(im01, v128.mul<T>(b, x)), v128.mul<T>(a, y));
      re11 = v128.add<T>(v128.add<T>(re11, v128.mul<T>(c, x)), v128.mul<T>(d, y));
      im11 = v128.sub<T>(v128.add<T>(im11, v128.mul<T>(d, x)), v128.mul<T>(c, y));
    }
    addRow<T>(vis, load<i32>(blocks, 16), rowStride, channelStride, channels, re00, im00);
    addRow<T>(vis, load<i32>(blocks, 20), rowStride, channelStride, channels, re01, im01);
    addRow<T>(vis, load<i32>(blocks, 24), rowStride, channelStride, channels, re10, im10);
    addRow<T>(vis, load<i32>(blocks, 28), rowStride, channelStride, channels, re11, im11);
  }
}

/** `out[row][s] = weights[s] · phasors[row][s]`, for one vector of channels. */
// @ts-ignore: decorator
@inline export function rimeWeigh<T>(out: usize, phasors: usize, weights: usize, sources: i32, rows: i32): void {
  for (let r = 0; r < rows; r++) {
    for (let s = 0, w = weights; s < sources; s++, w += 16, out += 32, phasors += 32) {
      const weight = v128.load(w);
      v128.store(out, v128.mul<T>(weight, v128.load(phasors)));
      v128.store(out, v128.mul<T>(weight, v128.load(phasors, 16)), 16);
    }
  }
}
