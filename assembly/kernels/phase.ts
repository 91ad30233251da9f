// complex_phase: out[s][r][c] = exp(2 pi i turns), turns = path(s, r) / speed * frequency[c], as pairs of T.
//
//   for every source s with n1 = sqrt(1 - l^2 - m^2) - 1:
//     for every row r of uvw: path = u l + v m + w n1
//       for every channel c: turns = path / speed * frequency[c]; out = cos, sin of turns
//
// - n1 is -(l^2 + m^2) / (1 + sqrt(1 - l^2 - m^2)): the difference would cancel near the phase centre.
// - Turns and their reduction are f64 in any case.
// Turns become cosine and sine in `rime/turns.ts`.

import { pairOf } from "./rime/planes";
import { cosOfRest, rest, rests, sinOfRest } from "./rime/turns";

/** Rows are (u, v, w), sources (l, m); a negative speed turns the sign of the phase around. */
// @ts-ignore: decorator
@inline export function complexPhase<T>(
  out: usize, lm: usize, uvw: usize, frequency: usize, sources: i32, rows: i32, channels: i32, speed: f64,
): void {
  for (let s = 0; s < sources; s++, lm += 16) {
    const l = load<f64>(lm), m = load<f64>(lm, 8);
    const square = l * l + m * m;
    const n1 = -square / (1.0 + sqrt<f64>(1.0 - square));
    for (let r = 0, at = uvw; r < rows; r++, at += 24) {
      const path = load<f64>(at) * l + load<f64>(at, 8) * m + load<f64>(at, 16) * n1;
      if (sizeof<T>() == 8) out = phases(out, path / speed, frequency, channels);
      else out = singlePhases(out, path / speed, frequency, channels);
    }
  }
}

/** The phases of one delay at every frequency; the address behind the last. */
// @ts-ignore: decorator
@inline function phases(out: usize, delay: f64, frequency: usize, channels: i32): usize {
  const delays = f64x2.splat(delay);
  const end = frequency + (<usize>channels << 3);
  for (; frequency + 16 <= end; frequency += 16, out += 32) {
    const r = rest(f64x2.mul(delays, v128.load(frequency)));
    const re = cosOfRest<f64>(r), im = sinOfRest<f64>(r);
    v128.store(out, i64x2.shuffle(re, im, 0, 2));
    v128.store(out, i64x2.shuffle(re, im, 1, 3), 16);
  }
  if (frequency < end) {
    const r = rest(f64x2.mul(delays, v128.load64_splat(frequency)));
    v128.store(out, i64x2.shuffle(cosOfRest<f64>(r), sinOfRest<f64>(r), 0, 2));
    out += 16;
  }
  return out;
}

/** The same in f32. */
// @ts-ignore: decorator
@inline function singlePhases(out: usize, delay: f64, frequency: usize, channels: i32): usize {
  const delays = f64x2.splat(delay);
  for (let left = channels; left > 0; left -= 4, frequency += 32) {
    const low = f64x2.mul(delays, pairOf(frequency, left)), high = f64x2.mul(delays, pairOf(frequency + 16, left - 2));
    const r = rests(low, high), re = cosOfRest<f32>(r), im = sinOfRest<f32>(r);
    const first = i32x4.shuffle(re, im, 0, 4, 1, 5), second = i32x4.shuffle(re, im, 2, 6, 3, 7);
    if (left == 1) v128.store64_lane(out, first, 0);
    else v128.store(out, first);
    if (left == 3) v128.store64_lane(out, second, 0, 16);
    else if (left > 3) v128.store(out, second, 16);
    out += <usize>min(left, 4) << 3;
  }
  return out;
}
