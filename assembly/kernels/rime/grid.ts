// Samples at any place of a grid: each is spread over, or gathered from, `support` cells along x and y, and `depth` planes.
//
// A record is five f64: x, y, z in cells and planes, and a complex value. Along one axis the first cell is
// i = ceil(x - support / 2), and the weight of cell i + j is a polynomial of t = i - (x - support / 2) - 1/2, in [-1/2, 1/2): the
// `degree + 1` rows of `table` are its coefficients for all j, the highest first, with zeros up to a multiple of four.
// Samples are taken in the order of the list `order`, so that a cell always adds them in that order, whatever part of the grid
// a call computes: it has `rows` rows from `first` on, where `grid` points, and `planes` planes. Rows wrap around at `height`.
// Columns do not: there are `support + 1` more of them than the grid is wide.

const RECORD: usize = 40;

// @ts-ignore: decorator
@inline function padded(support: i32): i32 {
  return (support + 3) & ~3;
}

/** The first cell of `support` around x. */
// @ts-ignore: decorator
@inline function firstOf(x: f64, support: i32): f64 {
  return Math.ceil(x - 0.5 * <f64>support);
}

/** The weights of the cells around x. */
// @ts-ignore: decorator
@inline function weights<T>(to: usize, x: f64, support: i32, table: usize, degree: i32): void {
  const t = v128.splat<T>(<T>(firstOf(x, support) - (x - 0.5 * <f64>support) - 0.5));
  const bytes = <usize>padded(support) * sizeof<T>();
  for (let at: usize = 0; at < bytes; at += 16) {
    let p = table + at, sum = v128.load(p);
    for (let d = 0; d < degree; d++) {
      p += bytes;
      sum = v128.add<T>(v128.mul<T>(sum, t), v128.load(p));
    }
    v128.store(to + at, sum);
  }
}

/** Two weights next to each other, each twice. */
// @ts-ignore: decorator
@inline function twice(p: usize): v128 {
  const pair = v128.load64_zero(p);
  return i32x4.shuffle(pair, pair, 0, 0, 1, 1);
}

// @ts-ignore: decorator
@inline function addRow<T>(to: usize, weights: usize, support: i32, value: v128): void {
  for (let j = 0; j < support; j += 2, to += 4 * sizeof<T>(), weights += 2 * sizeof<T>()) {
    if (sizeof<T>() == 4) v128.store(to, f32x4.add(v128.load(to), f32x4.mul(value, twice(weights))));
    else {
      v128.store(to, f64x2.add(v128.load(to), f64x2.mul(value, v128.load64_splat(weights))));
      v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(value, v128.load64_splat(weights, 8))), 16);
    }
  }
}

/** Rows between row `first` and that of `y`, around the grid. */
// @ts-ignore: decorator
@inline function rowsFrom(first: i32, y: f64, support: i32, height: i32): i32 {
  const row = <i32>firstOf(y, support) - first;
  return row < -height ? row + 2 * height : row < 0 ? row + height : row;
}

// @ts-ignore: decorator
@inline export function gridSpread<T>(
  grid: usize, records: usize, order: usize, count: i32, width: i32, height: i32, first: i32, rows: i32, firstPlane: i32,
  planes: i32, rowStride: usize, planeStride: usize, table: usize, degree: i32, support: i32, depth: i32, scratch: usize,
): void {
  const bytes = <usize>padded(support) * sizeof<T>(), wy = scratch + bytes, wz = wy + bytes;
  for (const end = order + 4 * <usize>count; order < end; order += 4) {
    const record = records + <usize>load<i32>(order) * RECORD;
    const x = load<f64>(record), y = load<f64>(record, 8), z = load<f64>(record, 16);
    const row = rowsFrom(first, y, support, height);
    if (row >= rows && row + support <= height) continue;
    const plane = depth == 1 ? 0 : <i32>firstOf(z, support) - firstPlane;
    if (plane >= planes || plane + depth <= 0) continue;
    let column = <i32>firstOf(x, support);
    if (column < 0) column += width;
    weights<T>(scratch, x, support, table, degree);
    weights<T>(wy, y, support, table, degree);
    if (depth > 1) weights<T>(wz, z, support, table, degree);
    const re = v128.splat<T>(<T>load<f64>(record, 24)), im = v128.splat<T>(<T>load<f64>(record, 32));
    const value = sizeof<T>() == 4 ? i32x4.shuffle(re, im, 0, 4, 0, 4) : i64x2.shuffle(re, im, 0, 2);
    const last = min(depth, planes - plane);
    for (let k = max(0, -plane); k < last; k++) {
      const to = grid + <usize>(plane + k) * planeStride + <usize>column * 2 * sizeof<T>();
      const inPlane = depth == 1 ? value : v128.mul<T>(value, v128.splat<T>(load<T>(wz + <usize>k * sizeof<T>())));
      for (let j = 0; j < support; j++) {
        const at = row + j < height ? row + j : row + j - height;
        if (at >= rows) continue;
        const inRow = v128.mul<T>(inPlane, v128.splat<T>(load<T>(wy + <usize>j * sizeof<T>())));
        addRow<T>(to + <usize>at * rowStride, scratch, support, inRow);
      }
    }
  }
}

// @ts-ignore: decorator
@inline export function gridGather<T>(
  records: usize, grid: usize, order: usize, count: i32, width: i32, height: i32, firstPlane: i32, planes: i32,
  rowStride: usize, planeStride: usize, table: usize, degree: i32, support: i32, depth: i32, scratch: usize,
): void {
  const bytes = <usize>padded(support) * sizeof<T>(), wy = scratch + bytes, wz = wy + bytes;
  for (const end = order + 4 * <usize>count; order < end; order += 4) {
    const record = records + <usize>load<i32>(order) * RECORD;
    const x = load<f64>(record), y = load<f64>(record, 8), z = load<f64>(record, 16);
    const plane = depth == 1 ? 0 : <i32>firstOf(z, support) - firstPlane;
    if (plane >= planes || plane + depth <= 0) continue;
    const row = rowsFrom(0, y, support, height);
    let column = <i32>firstOf(x, support);
    if (column < 0) column += width;
    weights<T>(scratch, x, support, table, degree);
    weights<T>(wy, y, support, table, degree);
    if (depth > 1) weights<T>(wz, z, support, table, degree);
    const last = min(depth, planes - plane);
    let sum = v128.load(record, 24);
    for (let k = max(0, -plane); k < last; k++) {
      const from = grid + <usize>(plane + k) * planeStride + <usize>column * 2 * sizeof<T>();
      const seen = inPlane<T>(from, row, height, rowStride, scratch, wy, support);
      const weight: f64 = depth == 1 ? 1 : <f64>load<T>(wz + <usize>k * sizeof<T>());
      sum = f64x2.add(sum, f64x2.mul(seen, f64x2.splat(weight)));
    }
    v128.store(record, sum, 24);
  }
}

/** The sum over the cells of a plane, as f64. Cells of even and odd numbers are summed apart. */
// @ts-ignore: decorator
@inline function inPlane<T>(
  from: usize, row: i32, height: i32, rowStride: usize, wx: usize, wy: usize, support: i32,
): v128 {
  let even = v128.splat<T>(<T>0), odd = even;
  for (let j = 0; j < support; j++) {
    let p = from + <usize>(row + j < height ? row + j : row + j - height) * rowStride, w = wx;
    let a = v128.splat<T>(<T>0), b = a;
    for (let i = 0; i < support; i += 2, p += 4 * sizeof<T>(), w += 2 * sizeof<T>()) {
      if (sizeof<T>() == 4) a = f32x4.add(a, f32x4.mul(v128.load(p), twice(w)));
      else {
        a = f64x2.add(a, f64x2.mul(v128.load(p), v128.load64_splat(w)));
        b = f64x2.add(b, f64x2.mul(v128.load(p, 16), v128.load64_splat(w, 8)));
      }
    }
    const weight = v128.splat<T>(load<T>(wy + <usize>j * sizeof<T>()));
    even = v128.add<T>(even, v128.mul<T>(a, weight));
    if (sizeof<T>() == 8) odd = v128.add<T>(odd, v128.mul<T>(b, weight));
  }
  if (sizeof<T>() == 8) return f64x2.add(even, odd);
  return f64x2.promote_low_f32x4(f32x4.add(even, i64x2.shuffle(even, even, 1, 1)));
}
