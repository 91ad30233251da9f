// multiply_jones: jones[s][r][c] = jones[s][r][c] factors[r][c], 2x2 complex matrices of T. Distances between factors are
// in bytes; with distance 0, rows or channels share one.

import { matrixBytes, product } from "./matrix";

// @ts-ignore: decorator
@inline export function multiplyJones<T>(
  jones: usize, factors: usize, sources: i32, rows: i32, channels: i32, rowStride: usize, channelStride: usize,
): void {
  for (let s = 0; s < sources; s++) {
    for (let r = 0, row = factors; r < rows; r++, row += rowStride) {
      for (let c = 0, at = row; c < channels; c++, at += channelStride, jones += matrixBytes<T>()) {
        product<T>(jones, jones, at);
      }
    }
  }
}
