// box_mean: every sample becomes the mean of the window of (2 ry + 1) (2 rx + 1) samples around it.
//
//   for every row y: columns[x] = sum of data[y .. y + 2 ry][x]                  from top to bottom, f64
//     for every x: out[y][x] = sum of columns[x .. x + 2 rx] / window            from left to right, f64, rounded to f32 or f64
//
// Integers: both sums slide, one sample in and one out; all of them are exact, so that the order does not matter.
// Floats: both sums are made anew for every window; then a result depends on nothing but its own window.

import { f64x2At } from "./widen";

// @ts-ignore: decorator
@inline export function boxMean<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, rowLength: i32, ry: i32, rx: i32,
  columns: usize,
): void {
  if (sizeof<T>() == 8 || sizeof<T>() == 4 && isInteger<T>()) {
    means<T, f64>(out, outStride, data, rowStride, rows, rowLength, ry, rx, columns);
  } else {
    means<T, f32>(out, outStride, data, rowStride, rows, rowLength, ry, rx, columns);
  }
}

// @ts-ignore: decorator
@inline function means<T, R>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, rowLength: i32, ry: i32, rx: i32,
  columns: usize,
): void {
  const width = rowLength + 2 * rx, height = 2 * ry + 1;
  const window = <f64>height * <f64>(2 * rx + 1);
  for (let y = 0; y < rows; y++, out += outStride, data += rowStride) {
    if (isFloat<T>() || y == 0) {
      memory.fill(columns, 0, <usize>width << 3);
      for (let r = 0; r < height; r++) addRow<T>(columns, data + <usize>r * rowStride, width);
    } else {
      slideRow<T>(columns, data + <usize>(2 * ry) * rowStride, data - rowStride, width);
    }
    if (isFloat<T>()) windows<R>(out, columns, rowLength, 2 * rx + 1, window);
    else slidingWindows<R>(out, columns, rowLength, 2 * rx + 1, window);
  }
}

/** columns[x] += row[x] */
// @ts-ignore: decorator
@inline function addRow<T>(columns: usize, row: usize, width: i32): void {
  const body = width & ~1;
  for (let x = 0; x < body; x += 2) {
    const at = columns + (<usize>x << 3);
    v128.store(at, f64x2.add(v128.load(at), f64x2At<T>(row + <usize>x * sizeof<T>(), false)));
  }
  if (body < width) {
    const at = columns + (<usize>body << 3);
    store<f64>(at, load<f64>(at) + <f64>load<T>(row + <usize>body * sizeof<T>()));
  }
}

/** columns[x] += entering[x] - leaving[x] */
// @ts-ignore: decorator
@inline function slideRow<T>(columns: usize, entering: usize, leaving: usize, width: i32): void {
  const body = width & ~1;
  for (let x = 0; x < body; x += 2) {
    const at = columns + (<usize>x << 3), skip = <usize>x * sizeof<T>();
    const change = f64x2.sub(f64x2At<T>(entering + skip, false), f64x2At<T>(leaving + skip, false));
    v128.store(at, f64x2.add(v128.load(at), change));
  }
  if (body < width) {
    const at = columns + (<usize>body << 3), skip = <usize>body * sizeof<T>();
    store<f64>(at, load<f64>(at) + (<f64>load<T>(entering + skip) - <f64>load<T>(leaving + skip)));
  }
}

/** Means of `n` columns each, two windows at a time. */
function windows<R>(out: usize, columns: usize, rowLength: i32, n: i32, window: f64): void {
  const body = rowLength & ~1, all = f64x2.splat(window);
  for (let x = 0; x < body; x += 2, out += 2 * sizeof<R>(), columns += 16) {
    let sum = f64x2.splat(0);
    for (let i = 0; i < n; i++) sum = f64x2.add(sum, v128.load(columns + (<usize>i << 3)));
    const means = f64x2.div(sum, all);
    if (sizeof<R>() == 8) v128.store(out, means);
    else v128.store64_lane(out, f32x4.demote_f64x2_zero(means), 0);
  }
  if (body < rowLength) {
    let sum: f64 = 0;
    for (let i = 0; i < n; i++) sum += load<f64>(columns + (<usize>i << 3));
    store<R>(out, <R>(sum / window));
  }
}

/** Means of `n` columns each; the sum loses its first column and wins the next. */
function slidingWindows<R>(out: usize, columns: usize, rowLength: i32, n: i32, window: f64): void {
  if (rowLength == 0) return;
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) sum += load<f64>(columns + (<usize>i << 3));
  store<R>(out, <R>(sum / window));
  const ahead = <usize>n << 3;
  for (let x = 1; x < rowLength; x++, columns += 8) {
    out += sizeof<R>();
    sum += load<f64>(columns + ahead) - load<f64>(columns);
    store<R>(out, <R>(sum / window));
  }
}
