// upsample_peak: the highest value of a periodic image between its samples, near sample (y, x).
//
//   partial[r][s] = sum over c of image[r][c] columns[(c - x) mod width][s]       for every row r and step s
//   value[t][s]   = sum over r of rows[(r - y) mod height][t] partial[r][s]
//   out           = t, s of the first of the largest values, as f32
//
// Tables have one row of `pad` weights a distance, the first `count` of which mean something; `pad` is a multiple of 16.
// Samples are `step` bytes apart. Sixteen sums stay in registers.

// @ts-ignore: decorator
@inline export function upsamplePeak<T>(out: usize, image: usize, step: usize, height: i32, width: i32, y: i32, x: i32, rows: usize, columns: usize, count: i32, pad: i32, partial: usize): void {
  const line = <usize>width * step, bytes = <usize>pad << 2;
  for (let s: usize = 0; s < bytes; s += 64) {
    for (let r = 0, from = image, to = partial + s; r < height; r++, from += line, to += bytes) {
      sixteen(to, from, step, width, columns + s, bytes, first(x, width));
    }
  }
  let best: f32 = -Infinity, bestT = 0, bestS = 0;
  for (let t = 0; t < count; t++) {
    for (let s = 0; s < count; s += 16) {
      let a = f32x4.splat(0), b = a, c = a, d = a;
      let at = partial + (<usize>s << 2), row = first(y, height);
      for (let r = 0; r < height; r++, at += bytes) {
        const w = v128.load32_splat(rows + <usize>row * bytes + (<usize>t << 2));
        a = f32x4.add(a, f32x4.mul(w, v128.load(at)));
        b = f32x4.add(b, f32x4.mul(w, v128.load(at, 16)));
        c = f32x4.add(c, f32x4.mul(w, v128.load(at, 32)));
        d = f32x4.add(d, f32x4.mul(w, v128.load(at, 48)));
        if (++row == height) row = 0;
      }
      for (let i = s, end = min(count, s + 16); i < end; i++) {
        const value = f32x4.extract_lane(a, 0);
        if (value > best) {
          best = value;
          bestT = t;
          bestS = i;
        }
        a = i32x4.shuffle(a, b, 1, 2, 3, 4);
        b = i32x4.shuffle(b, c, 1, 2, 3, 4);
        c = i32x4.shuffle(c, d, 1, 2, 3, 4);
        d = i32x4.shuffle(d, d, 1, 2, 3, 0);
      }
    }
  }
  store<f32>(out, <f32>bestT);
  store<f32>(out, <f32>bestS, 4);
}

/** The distance of sample 0 from sample `at`, around the end. */
// @ts-ignore: decorator
@inline function first(at: i32, n: i32): i32 {
  return at == 0 ? 0 : n - at;
}

/** Sixteen weighted sums of a line of samples. */
// @ts-ignore: decorator
@inline function sixteen(to: usize, from: usize, step: usize, n: i32, table: usize, bytes: usize, distance: i32): void {
  let a = f32x4.splat(0), b = a, c = a, d = a;
  for (let i = 0; i < n; i++, from += step) {
    const v = v128.load32_splat(from), w = table + <usize>distance * bytes;
    a = f32x4.add(a, f32x4.mul(v, v128.load(w)));
    b = f32x4.add(b, f32x4.mul(v, v128.load(w, 16)));
    c = f32x4.add(c, f32x4.mul(v, v128.load(w, 32)));
    d = f32x4.add(d, f32x4.mul(v, v128.load(w, 48)));
    if (++distance == n) distance = 0;
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
}
