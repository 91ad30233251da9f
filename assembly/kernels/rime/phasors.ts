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
//
// Rows of a vector are far apart in memory, often by a power of two. So the tables of some sources are computed first, and then
// all their phasors of one vector, which lie side by side; source by source, each store would go to a page of its own.

/** Channels per block. */
const BLOCK = 16;
/** Sources whose tables are kept at once. */
const KEPT = 32;

/** Bytes of the tables: for each source its delay; re and im of the block, in all lanes; re and im of each channel in it. */
const DELAYS: usize = 0, SEEDS: usize = KEPT * 8, FINE: usize = SEEDS + KEPT * 32;

/** Bytes of the table of one source: re and im of the channels of a block. */
// @ts-ignore: decorator
@inline function fineBytes<T>(): usize {
  return 2 * BLOCK * sizeof<T>();
}

/** One complex product per channel; `channel` is the number of the first one, `tables` takes 1280 + 1024 `sizeof<T>()` bytes. */
// @ts-ignore: decorator
@inline export function rimePhasorsEven<T>(
  out: usize, lmn: usize, uvw: usize, first: f64, step: f64, channel: i32, sources: i32, rows: i32, channels: i32,
  speed: f64, tables: usize,
): void {
  const stride = (<usize>rows * <usize>sources) << 5;
  for (let r = 0; r < rows; r++, uvw += 24) {
    for (let s = 0; s < sources; s += KEPT) {
      const some = min(sources - s, KEPT);
      fineTables<T>(tables, lmn + <usize>s * 24, uvw, some, speed, step);
      if (channel % lanes<T>() == 0) alignedBlocks<T>(out, stride, first, step, channel, some, channels, tables);
      else anyBlocks<T>(out, stride, first, step, channel, some, channels, tables);
      out += <usize>some << 5;
    }
  }
}

/** The delays of sources, and the phasors of 0 to 15 steps: for each source 16 real parts, 16 imaginary parts. */
// @ts-ignore: decorator
@inline function fineTables<T>(tables: usize, lmn: usize, uvw: usize, sources: i32, speed: f64, step: f64): void {
  const steps = f64x2.splat(step);
  let to = tables + FINE;
  for (let s = 0; s < sources; s++, lmn += 24, to += BLOCK * sizeof<T>()) {
    const delay = delayOf(uvw, lmn, speed), delays = f64x2.splat(delay);
    store<f64>(tables + <usize>s * 8, delay, DELAYS);
    let count = f64x2(0, 1);
    for (let end = to + BLOCK * sizeof<T>(); to < end; to += 16) {
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
}

/** The phasors of the first channel of a block, each in all lanes; those behind the last source are of no use. */
// @ts-ignore: decorator
@inline function seeds<T>(tables: usize, first: f64, step: f64, block: i32, sources: i32): void {
  const frequency = f64x2.splat(first + <f64>(BLOCK * block) * step);
  const end = tables + <usize>sources * 8;
  for (let from = tables, to = tables; from < end; from += 8 * lanes<T>(), to += 32 * lanes<T>()) {
    const low = f64x2.mul(v128.load(from, DELAYS), frequency);
    if (sizeof<T>() == 8) {
      const r = rest(low), re = cosOfRest<T>(r), im = sinOfRest<T>(r);
      v128.store(to, i64x2.shuffle(re, re, 0, 0), SEEDS);
      v128.store(to, i64x2.shuffle(im, im, 0, 0), SEEDS + 16);
      v128.store(to, i64x2.shuffle(re, re, 1, 1), SEEDS + 32);
      v128.store(to, i64x2.shuffle(im, im, 1, 1), SEEDS + 48);
    } else {
      const r = rests(low, f64x2.mul(v128.load(from, DELAYS + 16), frequency));
      const re = cosOfRest<T>(r), im = sinOfRest<T>(r);
      v128.store(to, i32x4.shuffle(re, re, 0, 0, 0, 0), SEEDS);
      v128.store(to, i32x4.shuffle(im, im, 0, 0, 0, 0), SEEDS + 16);
      v128.store(to, i32x4.shuffle(re, re, 1, 1, 1, 1), SEEDS + 32);
      v128.store(to, i32x4.shuffle(im, im, 1, 1, 1, 1), SEEDS + 48);
      v128.store(to, i32x4.shuffle(re, re, 2, 2, 2, 2), SEEDS + 64);
      v128.store(to, i32x4.shuffle(im, im, 2, 2, 2, 2), SEEDS + 80);
      v128.store(to, i32x4.shuffle(re, re, 3, 3, 3, 3), SEEDS + 96);
      v128.store(to, i32x4.shuffle(im, im, 3, 3, 3, 3), SEEDS + 112);
    }
  }
}

/** Vectors that lie in one block each. */
// @ts-ignore: decorator
@inline function alignedBlocks<T>(
  out: usize, stride: usize, first: f64, step: f64, channel: i32, sources: i32, channels: i32, tables: usize,
): void {
  const end = channel + channels;
  for (let c = channel, block = -1; c < end; c += lanes<T>(), out += stride) {
    if (c / BLOCK != block) {
      block = c / BLOCK;
      seeds<T>(tables, first, step, block, sources);
    }
    let fine = tables + <usize>(c % BLOCK) * sizeof<T>(), seed = tables;
    for (let to = out, last = out + (<usize>sources << 5); to < last; to += 32, seed += 32, fine += fineBytes<T>()) {
      const re = v128.load(seed, SEEDS), im = v128.load(seed, SEEDS + 16);
      const a = v128.load(fine, FINE), b = v128.load(fine, FINE + BLOCK * sizeof<T>());
      v128.store(to, v128.sub<T>(v128.mul<T>(re, a), v128.mul<T>(im, b)));
      v128.store(to, v128.add<T>(v128.mul<T>(re, b), v128.mul<T>(im, a)), 16);
    }
  }
}

/** One channel after another, for tiles that do not begin at a multiple of the lanes. */
// @ts-ignore: decorator
@inline function anyBlocks<T>(
  out: usize, stride: usize, first: f64, step: f64, channel: i32, sources: i32, channels: i32, tables: usize,
): void {
  const end = channel + vectorsOf<T>(channels) * lanes<T>();
  for (let c = channel, block = -1, lane = 0; c < end; c++) {
    if (c / BLOCK != block) {
      block = c / BLOCK;
      seeds<T>(tables, first, step, block, sources);
    }
    let fine = tables + <usize>(c % BLOCK) * sizeof<T>(), seed = tables;
    const row = out + <usize>lane * sizeof<T>();
    for (let to = row, last = row + (<usize>sources << 5); to < last; to += 32, seed += 32, fine += fineBytes<T>()) {
      const re = load<T>(seed, SEEDS), im = load<T>(seed, SEEDS + 16);
      const a = load<T>(fine, FINE), b = load<T>(fine, FINE + BLOCK * sizeof<T>());
      store<T>(to, re * a - im * b);
      store<T>(to, re * b + im * a, 16);
    }
    if (++lane == lanes<T>()) {
      lane = 0;
      out += stride;
    }
  }
}
