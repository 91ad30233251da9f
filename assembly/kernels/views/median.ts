// median_3: medians of 3 × 3 samples.
//
//   out[y][x] = median of data[y … y + 2][x … x + 2]
//
// Row by row: all columns of three samples are sorted, and stored as three rows; a window has sorted columns then, and the
// rest of a network of comparators gives its median. Rows shorter than a vector are copied to where a vector fits.

import { column3, median3 } from "./networks";

/** Scratch: three sorted rows of columns; then, for short rows, three rows of samples and a vector of results. */
// @ts-ignore: decorator
@inline export function medianOf3<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, scratch: usize,
): void {
  const lanes = <i32>(16 / sizeof<T>());
  const isShort = n < lanes, length = isShort ? lanes : n;
  const pitch = <usize>(length + 2) * sizeof<T>();
  const copy = scratch + 3 * pitch, result = copy + 3 * pitch;
  for (let y = 0; y < rows; y++, out += outStride, data += rowStride) {
    let from = data, stride = rowStride, to = out;
    if (isShort) {
      for (let r = 0; r < 3; r++) {
        memory.copy(copy + <usize>r * pitch, data + <usize>r * rowStride, <usize>(n + 2) * sizeof<T>());
      }
      from = copy, stride = pitch, to = result;
    }
    for (let x = 0; x < length + 2; x += lanes) {
      const at = <usize>min(x, length + 2 - lanes) * sizeof<T>();
      column3<T>(scratch + at, pitch, from + at, stride);
    }
    for (let x = 0; x < length; x += lanes) {
      const at = <usize>min(x, length - lanes) * sizeof<T>();
      v128.store(to + at, median3<T>(scratch + at, pitch));
    }
    if (isShort) memory.copy(out, result, <usize>n * sizeof<T>());
  }
}
