// com: for every frame the sum, the sum weighted by y and the sum weighted by x, over runs of pixels.
//
//   for every frame f, for every run (y, x0, x1): for x in [x0, x1):
//     out[f] += (v, y v, x v)   with v = data[f][y - yFirst][x]
//
// A disk is one run a row, a ring one or two, so that pixels outside cost nothing. Within a run x counts from x0:
// sum(x v) = x0 S + T with S = sum(v), T = sum((x - x0) v).
//
// 8 and 16 bits: exact. T by dot products of 16 bits, in blocks of 512 samples: 64 steps of at most
// 2 * 32768 * 511 stay below 2^31. u16 is moved into the range of i16 by flipping its highest bit, and
// 32768 * sum(x - x0) added back.
// Other types: four f64 lanes, sample i of a run in lane i mod 4, folded as (l0 + l2) + (l1 + l3).

import { sample } from "./vectors";
import { f64x2At, lanes16 } from "./widen";

const BLOCK: i32 = 512;

// @ts-ignore: decorator
@inline export function com<T>(out: usize, outStride: usize, data: usize, frames: i32, frameStride: usize, rowLength: i32, yFirst: i32, runs: usize, count: i32, be: bool): void {
  const rowBytes = <usize>rowLength * sizeof<T>();
  for (let f = 0; f < frames; f++, data += frameStride, out += outStride) {
    let s = load<f64>(out), sy = load<f64>(out, 8), sx = load<f64>(out, 16);
    for (let r = 0, run = runs; r < count; r++, run += 12) {
      const y = load<i32>(run), x0 = load<i32>(run, 4), length = load<i32>(run, 8) - x0;
      const p = data + <usize>(y - yFirst) * rowBytes + <usize>x0 * sizeof<T>();
      let total: f64 = 0, moment: f64 = 0;
      if (sizeof<T>() <= 2) {
        for (let from = 0; from < length; from += BLOCK) {
          const n = min(length - from, BLOCK);
          const block = p + <usize>from * sizeof<T>();
          const sum = <f64>blockSum<T>(block, n, be);
          moment += <f64>blockMoment<T>(block, n, be) + <f64>from * sum;
          total += sum;
        }
      } else {
        total = wideSum<T>(p, length, be);
        moment = wideMoment<T>(p, length, be);
      }
      s += total;
      sy += <f64>y * total;
      sx += moment + <f64>x0 * total;
    }
    store<f64>(out, s); store<f64>(out, sy, 8); store<f64>(out, sx, 16);
  }
}

// @ts-ignore: decorator
@inline function blockSum<T>(p: usize, n: i32, be: bool): i64 {
  const body = n & ~7;
  let acc = i32x4.splat(0);
  for (let i = 0; i < body; i += 8) {
    const v = lanes16<T>(p + <usize>i * sizeof<T>(), be);
    acc = i32x4.add(acc, isSigned<T>() ? i32x4.extadd_pairwise_i16x8_s(v) : i32x4.extadd_pairwise_i16x8_u(v));
  }
  let sum = horizontal(acc);
  for (let i = body; i < n; i++) sum += <i64>sample<T>(p + <usize>i * sizeof<T>(), be);
  return sum;
}

// @ts-ignore: decorator
@inline function blockMoment<T>(p: usize, n: i32, be: bool): i64 {
  const body = n & ~7;
  const full = sizeof<T>() == 2 && !isSigned<T>();
  let acc = i32x4.splat(0), x = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  for (let i = 0; i < body; i += 8) {
    let v = lanes16<T>(p + <usize>i * sizeof<T>(), be);
    if (full) v = v128.xor(v, i16x8.splat(-32768));
    acc = i32x4.add(acc, i32x4.dot_i16x8_s(v, x));
    x = i16x8.add(x, i16x8.splat(8));
  }
  let moment = horizontal(acc);
  if (full) moment += 32768 * (<i64>body * <i64>(body - 1) / 2);
  for (let i = body; i < n; i++) moment += <i64>i * <i64>sample<T>(p + <usize>i * sizeof<T>(), be);
  return moment;
}

// @ts-ignore: decorator
@inline function horizontal(v: v128): i64 {
  return <i64>i32x4.extract_lane(v, 0) + <i64>i32x4.extract_lane(v, 1) + <i64>i32x4.extract_lane(v, 2) + <i64>i32x4.extract_lane(v, 3);
}

// @ts-ignore: decorator
@inline function wideSum<T>(p: usize, n: i32, be: bool): f64 {
  const body = n & ~3;
  let a = f64x2.splat(0), b = a;
  for (let i = 0; i < body; i += 4) {
    const q = p + <usize>i * sizeof<T>();
    a = f64x2.add(a, f64x2At<T>(q, be));
    b = f64x2.add(b, f64x2At<T>(q + 2 * sizeof<T>(), be));
  }
  let l0 = f64x2.extract_lane(a, 0), l1 = f64x2.extract_lane(a, 1), l2 = f64x2.extract_lane(b, 0);
  if (body < n) l0 += <f64>sample<T>(p + <usize>body * sizeof<T>(), be);
  if (body + 1 < n) l1 += <f64>sample<T>(p + <usize>(body + 1) * sizeof<T>(), be);
  if (body + 2 < n) l2 += <f64>sample<T>(p + <usize>(body + 2) * sizeof<T>(), be);
  return (l0 + l2) + (l1 + f64x2.extract_lane(b, 1));
}

// @ts-ignore: decorator
@inline function wideMoment<T>(p: usize, n: i32, be: bool): f64 {
  const body = n & ~3;
  let a = f64x2.splat(0), b = a, x = f64x2(0, 1), y = f64x2(2, 3);
  for (let i = 0; i < body; i += 4) {
    const q = p + <usize>i * sizeof<T>();
    a = f64x2.add(a, f64x2.mul(x, f64x2At<T>(q, be)));
    b = f64x2.add(b, f64x2.mul(y, f64x2At<T>(q + 2 * sizeof<T>(), be)));
    x = f64x2.add(x, f64x2.splat(4));
    y = f64x2.add(y, f64x2.splat(4));
  }
  let l0 = f64x2.extract_lane(a, 0), l1 = f64x2.extract_lane(a, 1), l2 = f64x2.extract_lane(b, 0);
  if (body < n) l0 += <f64>body * <f64>sample<T>(p + <usize>body * sizeof<T>(), be);
  if (body + 1 < n) l1 += <f64>(body + 1) * <f64>sample<T>(p + <usize>(body + 1) * sizeof<T>(), be);
  if (body + 2 < n) l2 += <f64>(body + 2) * <f64>sample<T>(p + <usize>(body + 2) * sizeof<T>(), be);
  return (l0 + l2) + (l1 + f64x2.extract_lane(b, 1));
}
