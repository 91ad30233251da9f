// Planes of a grid between their cells and the pixels of an image: transforms along one axis, and the phases of w.

import { ELEMENT, transform } from "../fft/fft_stages";
import { lanes } from "./planes";
import { cosOfRest, rest, sinOfRest } from "./turns";

/** One complex number of each of the next lanes, the last of which may be missing, to an element: see `fft_stages.ts`. */
// @ts-ignore: decorator
@inline function loadElement<T>(to: usize, from: usize, laneStep: usize, last: i32): void {
  const second = from + <usize>min(1, last) * laneStep;
  if (sizeof<T>() == 8) {
    const a = v128.load(from), b = v128.load(second);
    v128.store(to, i64x2.shuffle(a, b, 0, 2));
    v128.store(to, i64x2.shuffle(a, b, 1, 3), 16);
  } else {
    const a = v128.load64_zero(from), b = v128.load64_zero(second);
    const c = v128.load64_zero(from + <usize>min(2, last) * laneStep);
    const d = v128.load64_zero(from + <usize>min(3, last) * laneStep);
    const ab = i32x4.shuffle(a, b, 0, 4, 1, 5), cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
    v128.store(to, i64x2.shuffle(ab, cd, 0, 2));
    v128.store(to, i64x2.shuffle(ab, cd, 1, 3), 16);
  }
}

// @ts-ignore: decorator
@inline function storeElement<T>(to: usize, from: usize, laneStep: usize, last: i32): void {
  const re = v128.load(from), im = v128.load(from, 16);
  if (sizeof<T>() == 8) {
    v128.store(to, i64x2.shuffle(re, im, 0, 2));
    if (last > 0) v128.store(to + laneStep, i64x2.shuffle(re, im, 1, 3));
  } else {
    const low = i32x4.shuffle(re, im, 0, 4, 1, 5), high = i32x4.shuffle(re, im, 2, 6, 3, 7);
    v128.store64_lane(to, low, 0);
    if (last > 0) v128.store64_lane(to + laneStep, low, 1);
    if (last > 1) v128.store64_lane(to + 2 * laneStep, high, 0);
    if (last > 2) v128.store64_lane(to + 3 * laneStep, high, 1);
  }
}

/** Where the number `i` of `used` is in the spectrum: its middle is 0. */
// @ts-ignore: decorator
@inline function placeOf(i: i32, used: i32, length: i32): usize {
  const k = i - (used >> 1);
  return <usize>(k < 0 ? k + length : k) * ELEMENT;
}

/**
 * Transforms `count` lines, `laneStep` bytes apart, of numbers that are `step` bytes apart. Of `length` numbers `kept` are
 * stored, the first and the last ones; those between are 0. They become the `used` ones around the middle of the spectrum; or
 * with `widen` these become the kept ones.
 */
// @ts-ignore: decorator
@inline export function gridTransform<T>(
  data: usize, count: i32, laneStep: usize, step: usize, length: i32, kept: i32, used: i32, widen: i32,
  tables: usize, scratch: usize,
): void {
  const spare = scratch + <usize>length * ELEMENT, across = <usize>lanes<T>() * laneStep;
  const low = (kept + 1) >> 1, gap = length - (kept >> 1);
  for (let line = 0; line < count; line += lanes<T>(), data += across) {
    const last = min(lanes<T>(), count - line) - 1;
    let p = data;
    if (widen || kept < length) memory.fill(scratch, 0, <usize>length * ELEMENT);
    if (widen) for (let i = 0; i < used; i++, p += step) loadElement<T>(scratch + placeOf(i, used, length), p, laneStep, last);
    else {
      for (let i = 0; i < low; i++, p += step) loadElement<T>(scratch + <usize>i * ELEMENT, p, laneStep, last);
      for (let i = gap; i < length; i++, p += step) loadElement<T>(scratch + <usize>i * ELEMENT, p, laneStep, last);
    }
    const found = transform<T>(tables, scratch, spare);
    p = data;
    if (!widen) for (let i = 0; i < used; i++, p += step) storeElement<T>(p, found + placeOf(i, used, length), laneStep, last);
    else {
      for (let i = 0; i < low; i++, p += step) storeElement<T>(p, found + <usize>i * ELEMENT, laneStep, last);
      for (let i = gap; i < length; i++, p += step) storeElement<T>(p, found + <usize>i * ELEMENT, laneStep, last);
    }
  }
}

/** Turns of w at two directions. */
// @ts-ignore: decorator
@inline function turnsAt(l: v128, m: v128, middle: v128, w: v128): v128 {
  const one = f64x2.splat(1), square = f64x2.add(f64x2.mul(l, l), f64x2.mul(m, m));
  const height = f64x2.div(f64x2.neg(square), f64x2.add(one, f64x2.sqrt(f64x2.sub(one, square))));
  return f64x2.mul(w, f64x2.sub(height, middle));
}

/**
 * Adds the real parts of a plane to the image, or with `back` the image to the plane: with the phase `-w (n - 1 - middle)` of
 * each pixel. Column i has `l + (start + i) dl`, row j `m + j dm`.
 */
// @ts-ignore: decorator
@inline export function gridScreen<T>(
  image: usize, plane: usize, columns: i32, rows: i32, imageStride: usize, planeStride: usize, start: i32, l: f64,
  dl: f64, m: f64, dm: f64, middle: f64, w: f64, back: i32,
): void {
  const nc = f64x2.splat(middle), turnsOfW = f64x2.splat(w), first = f64x2.splat(l), step = f64x2.splat(dl);
  for (let j = 0; j < rows; j++, image += imageStride, plane += planeStride) {
    const y = f64x2.splat(m + <f64>j * dm);
    for (let i = 0, p = image, q = plane; i < columns; i += 2, p += 16, q += 4 * sizeof<T>()) {
      const two = i + 1 < columns;
      const at = f64x2.add(f64x2.splat(<f64>(start + i)), f64x2(0, 1));
      const r = rest(turnsAt(f64x2.add(first, f64x2.mul(at, step)), y, nc, turnsOfW));
      const cos = cosOfRest<f64>(r), sin = sinOfRest<f64>(r);
      const pixels = two ? v128.load(p) : v128.load64_zero(p);
      if (back) put<T>(q, f64x2.mul(pixels, cos), f64x2.neg(f64x2.mul(pixels, sin)), two);
      else {
        const a = f64x2.mul(partOf<T>(q, 0, two), cos), b = f64x2.mul(partOf<T>(q, 1, two), sin);
        const sum = f64x2.add(pixels, f64x2.add(a, b));
        if (two) v128.store(p, sum);
        else v128.store64_lane(p, sum, 0);
      }
    }
  }
}

/** The real or imaginary parts of two complex numbers, or of one, as f64. */
// @ts-ignore: decorator
@inline function partOf<T>(p: usize, part: i32, two: bool): v128 {
  if (sizeof<T>() == 8) {
    const a = v128.load(p), b = two ? v128.load(p, 16) : a;
    return part == 0 ? i64x2.shuffle(a, b, 0, 2) : i64x2.shuffle(a, b, 1, 3);
  }
  const both = two ? v128.load(p) : v128.load64_zero(p);
  return f64x2.promote_low_f32x4(part == 0 ? i32x4.shuffle(both, both, 0, 2, 0, 2) : i32x4.shuffle(both, both, 1, 3, 1, 3));
}

// @ts-ignore: decorator
@inline function put<T>(p: usize, re: v128, im: v128, two: bool): void {
  if (sizeof<T>() == 8) {
    v128.store(p, i64x2.shuffle(re, im, 0, 2));
    if (two) v128.store(p, i64x2.shuffle(re, im, 1, 3), 16);
  } else {
    const both = i32x4.shuffle(f32x4.demote_f64x2_zero(re), f32x4.demote_f64x2_zero(im), 0, 4, 1, 5);
    if (two) v128.store(p, both);
    else v128.store64_lane(p, both, 0);
  }
}
