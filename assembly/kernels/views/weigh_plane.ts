// weigh_plane: weighted sums along columns, then along rows, of samples with a halo, with symmetric weights; see weigh.ts.
//
//   between[x] = four rows of Σ v[k] (data[y + k][x] + data[y + down − 1 − k][x])      for all x with their halo
//   out[y][x]  = Σ w[k] (between[x + k] + between[x + across − 1 − k])                   for four rows side by side
//
// What is between the passes are four rows only, the four sums of a column in one vector: `between` stays in the first cache,
// and the second pass shares its loads between four columns as the first one does between four rows. Sums are those of two
// calls of weigh_f32, to the bit. Needs 4 rows and 4 columns: the last ones begin early, and some results are stored twice.

import { fourRows } from "./weigh";

const FOUR: usize = 16;

// @ts-ignore: decorator
@inline export function weighPlane<T>(
  out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, n: i32, downWeights: usize, down: i32,
  acrossWeights: usize, across: i32, between: usize,
): void {
  const columns = n + across - 1;
  for (let y = 0; y < rows; y += 4) {
    const row = <usize>min(y, rows - 4), from = data + row * rowStride, to = out + row * outStride;
    for (let x = 0; x < columns; x += 4) {
      const at = <usize>min(x, columns - 4);
      fourRows<T, f32>(between + at * FOUR, FOUR, from + at * sizeof<T>(), rowStride, downWeights, down, false, true);
    }
    for (let x = 0; x < n; x += 4) {
      const at = <usize>min(x, n - 4);
      fourRows<f32, f32>(to + at * 4, outStride, between + at * FOUR, FOUR, acrossWeights, across, false, true);
    }
  }
}
