// lanes_peaks: the highest sample of each of eight images (see lanes.ts), and how it stands out.
//
//   for every image of size x size samples c:
//     (y, x)    = the first of its largest samples, h its height
//     (v, u)    = the centre of mass of c - min c over the square of 2 r + 1 samples around it, r at most 2 and so small
//                 that the square lies inside; (y, x) itself where r is 0 or all are equal
//     elevation = the smallest (h - c) / distance from (v, u), over all samples at a distance of 1.5 or more: the slope
//                 of the steepest cone that has its tip on the peak and no sample through it; 0 where there are none
//   out: y, x, v, u, h, elevation as f32, six an image

// @ts-ignore: decorator
@inline export function lanesPeaks<T>(out: usize, data: usize, size: i32, count: i32): void {
  if (size <= 0) return;
  for (let i = 0; i < count; i += 4) fourPeaks(out + <usize>i * 24, data + (<usize>i << 2), size, min(4, count - i));
}

function fourPeaks(out: usize, data: usize, size: i32, count: i32): void {
  const elements = size * size;
  let high = v128.load(data), at = i32x4.splat(0);
  for (let i = 1, p = data + 32; i < elements; i++, p += 32) {
    const v = v128.load(p), higher = f32x4.gt(v, high);
    high = v128.bitselect(v, high, higher);
    at = v128.bitselect(i32x4.splat(i), at, higher);
  }
  const side = i32x4.splat(size);
  let y = i32x4.splat(0);
  for (let row = size; row < elements; row += size) y = i32x4.sub(y, i32x4.ge_s(at, i32x4.splat(row))); // at / size
  const x = i32x4.sub(at, i32x4.mul(y, side));
  let heights = high, rows = y, columns = x;
  for (let l = 0; l < count; l++, out += 24, data += 4) {
    const cy = i32x4.extract_lane(rows, 0), cx = i32x4.extract_lane(columns, 0);
    store<f32>(out, <f32>cy);
    store<f32>(out, <f32>cx, 4);
    refine(out, data, size, cy, cx);
    v128.store32_lane(out, heights, 0, 16);
    heights = i32x4.shuffle(heights, heights, 1, 2, 3, 0);
    rows = i32x4.shuffle(rows, rows, 1, 2, 3, 0);
    columns = i32x4.shuffle(columns, columns, 1, 2, 3, 0);
  }
  out -= <usize>count * 24;
  let slopes = elevations(data - (<usize>count << 2), size, high, column(out + 8, count), column(out + 12, count));
  for (let l = 0; l < count; l++, out += 24) {
    v128.store32_lane(out, slopes, 0, 20);
    slopes = i32x4.shuffle(slopes, slopes, 1, 2, 3, 0);
  }
}

/** The number at `p` of each of `count` results; the last one again where there are fewer than four. */
// @ts-ignore: decorator
@inline function column(p: usize, count: i32): v128 {
  let v = v128.load32_splat(p);
  v = v128.load32_lane(p + <usize>min(1, count - 1) * 24, v, 1);
  v = v128.load32_lane(p + <usize>min(2, count - 1) * 24, v, 2);
  return v128.load32_lane(p + <usize>min(3, count - 1) * 24, v, 3);
}

// @ts-ignore: decorator
@inline function elevations(data: usize, size: i32, high: v128, cy: v128, cx: v128): v128 {
  const limit = f32x4.splat(2.25), none = f32x4.splat(Infinity);
  let least = none;
  for (let y = 0; y < size; y++) {
    const dy = f32x4.sub(f32x4.splat(<f32>y), cy), square = f32x4.mul(dy, dy);
    for (let x = 0; x < size; x++, data += 32) {
      const dx = f32x4.sub(f32x4.splat(<f32>x), cx), distance = f32x4.add(square, f32x4.mul(dx, dx));
      const slope = f32x4.div(f32x4.sub(high, v128.load(data)), f32x4.sqrt(distance));
      least = f32x4.pmin(least, v128.bitselect(slope, none, f32x4.ge(distance, limit)));
    }
  }
  return v128.and(least, f32x4.lt(least, none));
}

/** The centre of mass around (cy, cx), in f64. */
// @ts-ignore: decorator
@inline function refine(out: usize, data: usize, size: i32, cy: i32, cx: i32): void {
  const r = min(2, min(min(cy, size - 1 - cy), min(cx, size - 1 - cx)));
  const first = data + (<usize>((cy - r) * size + cx - r) << 5), row = <usize>size << 5;
  let least: f32 = Infinity;
  for (let y = -r, p = first; y <= r; y++, p += row) {
    for (let x = -r, q = p; x <= r; x++, q += 32) least = min(least, load<f32>(q));
  }
  let sum: f64 = 0, sumY: f64 = 0, sumX: f64 = 0;
  for (let y = -r, p = first; y <= r; y++, p += row) {
    for (let x = -r, q = p; x <= r; x++, q += 32) {
      const v = <f64>load<f32>(q) - <f64>least;
      sum += v;
      sumY += <f64>y * v;
      sumX += <f64>x * v;
    }
  }
  const some = sum > 0;
  store<f32>(out, <f32>(<f64>cy + (some ? sumY / sum : 0)), 8);
  store<f32>(out, <f32>(<f64>cx + (some ? sumX / sum : 0)), 12);
}
