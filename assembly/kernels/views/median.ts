// median_3, median_5: medians of 3 × 3 and 5 × 5 samples.
//
//   out[y][x] = median of data[y … y + size − 1][x … x + size − 1]
//
// Row by row: all columns of `size` samples are sorted, and stored as `size` rows; a window has sorted columns then, and the
// rest of a network of comparators gives its median. Rows shorter than a vector are copied to where a vector fits.

import { column3, column5, median3, median5 } from "./networks";

// @ts-ignore: decorator
@inline export function medianOf3<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, scratch: usize,
): void {
  medians<T>(out, outStride, data, rowStride, rows, n, scratch, 3);
}

// @ts-ignore: decorator
@inline export function medianOf5<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, scratch: usize,
): void {
  medians<T>(out, outStride, data, rowStride, rows, n, scratch, 5);
}

/** Scratch: `size` sorted rows of columns; then, for short rows, `size` rows of samples and a vector of results. */
// @ts-ignore: decorator
@inline function medians<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, scratch: usize, size: i32,
): void {
  const lanes = <i32>(16 / sizeof<T>()), halo = size - 1;
  const isShort = n < lanes, length = isShort ? lanes : n;
  const pitch = <usize>(length + halo) * sizeof<T>();
  const copy = scratch + <usize>size * pitch, result = copy + <usize>size * pitch;
  for (let y = 0; y < rows; y++, out += outStride, data += rowStride) {
    let from = data, stride = rowStride, to = out;
    if (isShort) {
      for (let r = 0; r < size; r++) {
        memory.copy(copy + <usize>r * pitch, data + <usize>r * rowStride, <usize>(n + halo) * sizeof<T>());
      }
      from = copy, stride = pitch, to = result;
    }
    for (let x = 0; x < length + halo; x += lanes) {
      const at = <usize>min(x, length + halo - lanes) * sizeof<T>();
      if (size == 3) column3<T>(scratch + at, pitch, from + at, stride);
      else column5<T>(scratch + at, pitch, from + at, stride);
    }
    for (let x = 0; x < length; x += lanes) {
      const at = <usize>min(x, length - lanes) * sizeof<T>();
      v128.store(to + at, size == 3 ? median3<T>(scratch + at, pitch) : median5<T>(scratch + at, pitch));
    }
    if (isShort) memory.copy(out, result, <usize>n * sizeof<T>());
  }
}
