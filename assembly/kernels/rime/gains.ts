// apply_gains: vis[row][c] = G_p vis[row][c] G_q^H, p and q being the antennas of the row, G[time][antenna][channel].
//
// Four correlations are 2x2 matrices; of one or two, which are diagonal, each has a factor of its own.

import { around, scalarAround } from "./matrix";

// @ts-ignore: decorator
@inline export function applyGains<T>(
  vis: usize, gains: usize, antenna1: usize, antenna2: usize, times: usize,
  rows: i32, antennas: i32, channels: i32, correlations: i32,
): void {
  const pair: usize = 2 * sizeof<T>(), bytes = <usize>channels * <usize>correlations * pair; // of a row, and of an antenna
  for (let r = 0; r < rows; r++, vis += bytes) {
    const at = <usize>r << 2, time = <usize>(times ? load<i32>(times + at) : 0) * <usize>antennas;
    const p = gains + (time + <usize>load<i32>(antenna1 + at)) * bytes, q = gains + (time + <usize>load<i32>(antenna2 + at)) * bytes;
    if (correlations == 4) for (let k: usize = 0; k < bytes; k += 4 * pair) around<T>(p + k, vis + k, q + k);
    else for (let k: usize = 0; k < bytes; k += pair) scalarAround<T>(p + k, vis + k, q + k);
  }
}
