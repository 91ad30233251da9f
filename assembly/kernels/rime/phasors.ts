// Phasors of sources at antennas (or baselines), as planes: see `planes.ts`.
//
//   out[v][r][s] = exp(2 pi i path(r, s) / speed frequency[c]),   path = u l + v m + w (n - 1)

import { lanes, pairOf, vectorsOf } from "./planes";
import { cosOfRest, rest, rests, sinOfRest } from "./turns";

// @ts-ignore: decorator
@inline function delayOf(uvw: usize, lmn: usize, speed: f64): f64 {
  const path = load<f64>(uvw) * load<f64>(lmn) + load<f64>(uvw, 8) * load<f64>(lmn, 8) +
    load<f64>(uvw, 16) * load<f64>(lmn, 16);
  return path / speed;
}

/** The rests of the turns of a vector of channels, `left` of which there are. */
// @ts-ignore: decorator
@inline function restsOf<T>(delays: v128, frequency: usize, left: i32): v128 {
  const low = f64x2.mul(delays, pairOf(frequency, left));
  if (sizeof<T>() == 8) return rest(low);
  return rests(low, f64x2.mul(delays, pairOf(frequency + 16, left - 2)));
}

/** Sources are (l, m, n - 1), rows (u, v, w); a negative speed turns the sign of the phase around. */
// @ts-ignore: decorator
@inline export function rimePhasors<T>(
  out: usize, lmn: usize, uvw: usize, frequency: usize, sources: i32, rows: i32, channels: i32, speed: f64,
): void {
  const stride = (<usize>rows * <usize>sources) << 5;
  for (let r = 0; r < rows; r++, uvw += 24) {
    for (let s = 0, at = lmn; s < sources; s++, at += 24, out += 32) {
      const delays = f64x2.splat(delayOf(uvw, at, speed));
      for (let c = 0, p = frequency, to = out; c < channels; c += lanes<T>(), p += 128 / sizeof<T>(), to += stride) {
        const r = restsOf<T>(delays, p, channels - c);
        v128.store(to, cosOfRest<T>(r));
        v128.store(to, sinOfRest<T>(r), 16);
      }
    }
  }
}

// Evenly spaced channels: the phasor of channel 16 b + j is that of `first + 16 b step` times that of `j step`. Each is
// computed for itself, so that every channel is one product away from a cosine and a sine, wherever a tile begins.

/** Channels per block. */
const BLOCK = 16;

/** One complex product per channel; `channel` is the number of the first one, `tables` takes 2 · 16 samples. */
// @ts-ignore: decorator
@inline export function rimePhasorsEven<T>(
  out: usize, lmn: usize, uvw: usize, first: f64, step: f64, channel: i32, sources: i32, rows: i32, channels: i32,
  speed: f64, tables: usize,
): void {
  const stride = (<usize>rows * <usize>sources) << 5;
  for (let r = 0; r < rows; r++, uvw += 24) {
    for (let s = 0, at = lmn; s < sources; s++, at += 24, out += 32) {
      const delay = delayOf(uvw, at, speed);
      fineTable<T>(tables, delay, step);
      if (channel % lanes<T>() == 0) alignedBlocks<T>(out, stride, delay, first, step, channel, channels, tables);
      else anyBlocks<T>(out, stride, delay, first, step, channel, channels, tables);
    }
  }
}

/** The phasors of 0 to 15 steps: 16 real parts, 16 imaginary parts. */
// @ts-ignore: decorator
@inline function fineTable<T>(tables: usize, delay: f64, step: f64): void {
  const delays = f64x2.splat(delay), steps = f64x2.splat(step);
  let count = f64x2(0, 1);
  for (let to = tables, end = tables + BLOCK * sizeof<T>(); to < end; to += 16) {
    let r: v128;
    const low = f64x2.mul(delays, f64x2.mul(steps, count));
    count = f64x2.add(count, f64x2.splat(2));
    if (sizeof<T>() == 8) r = rest(low);
    else {
      r = rests(low, f64x2.mul(delays, f64x2.mul(steps, count)));
      count = f64x2.add(count, f64x2.splat(2));
    }
    v128.store(to, cosOfRest<T>(r));
    v128.store(to, sinOfRest<T>(r), BLOCK * sizeof<T>());
  }
}

/** The rest of the turns of the first channel of a block, in all lanes. */
// @ts-ignore: decorator
@inline function seed<T>(delay: f64, first: f64, step: f64, block: i32): v128 {
  const r = rest(f64x2.splat(delay * (first + <f64>(BLOCK * block) * step)));
  return sizeof<T>() == 8 ? r : f32x4.splat(<f32>f64x2.extract_lane(r, 0));
}

/** Vectors that lie in one block each. */
// @ts-ignore: decorator
@inline function alignedBlocks<T>(
  out: usize, stride: usize, delay: f64, first: f64, step: f64, channel: i32, channels: i32, tables: usize,
): void {
  const end = channel + channels;
  let re = v128.splat<T>(0), im = re;
  for (let c = channel, block = -1; c < end; c += lanes<T>(), out += stride) {
    if (c / BLOCK != block) {
      block = c / BLOCK;
      const r = seed<T>(delay, first, step, block);
      re = cosOfRest<T>(r);
      im = sinOfRest<T>(r);
    }
    const fine = tables + <usize>(c % BLOCK) * sizeof<T>();
    const a = v128.load(fine), b = v128.load(fine, BLOCK * sizeof<T>());
    v128.store(out, v128.sub<T>(v128.mul<T>(re, a), v128.mul<T>(im, b)));
    v128.store(out, v128.add<T>(v128.mul<T>(re, b), v128.mul<T>(im, a)), 16);
  }
}

/** One channel after another, for tiles that do not begin at a multiple of the lanes. */
// @ts-ignore: decorator
@inline function anyBlocks<T>(
  out: usize, stride: usize, delay: f64, first: f64, step: f64, channel: i32, channels: i32, tables: usize,
): void {
  const end = channel + vectorsOf<T>(channels) * lanes<T>();
  let re: T = 0, im: T = 0;
  for (let c = channel, block = -1, lane = 0; c < end; c++) {
    if (c / BLOCK != block) {
      block = c / BLOCK;
      const r = seed<T>(delay, first, step, block);
      re = v128.extract_lane<T>(cosOfRest<T>(r), 0);
      im = v128.extract_lane<T>(sinOfRest<T>(r), 0);
    }
    const fine = tables + <usize>(c % BLOCK) * sizeof<T>();
    const a = load<T>(fine), b = load<T>(fine, BLOCK * sizeof<T>());
    const to = out + <usize>lane * sizeof<T>();
    store<T>(to, re * a - im * b);
    store<T>(to, re * b + im * a, 16);
    if (++lane == lanes<T>()) {
      lane = 0;
      out += stride;
    }
  }
}
