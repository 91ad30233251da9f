/** Random visibilities, images and sources, by seed. */

import type { ImageGrid } from "../../../src/rime/image/grid.ts";

/** Numbers from -1 to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** `length` random numbers. */
export function randomList(length: number, seed: number): Float64Array<ArrayBuffer> {
  const next = randomNumbers(seed);
  return Float64Array.from({ length }, next);
}

/** Samples whose u and v fill the grid, and whose w turns the phase at its corners several times. */
export function randomSamples(nrow: number, nchan: number, grid: ImageGrid, seed: number) {
  const next = randomNumbers(seed);
  const frequency = Float64Array.from({ length: nchan }, (_, c) => 1e9 * (1 + 0.02 * c));
  const most = 299792458 / frequency[nchan - 1]! / 2;
  const [du, dv] = grid.cell.map((cell) => most / Math.abs(cell)) as [number, number];
  const uvw = Float64Array.from({ length: 3 * nrow }, (_, i) => next() * [du, dv, (du + dv) / 2][i % 3]!);
  const visibilities = randomList(2 * nrow * nchan, seed + 1);
  const weights = randomList(nrow * nchan, seed + 2).map((x) => x < -0.8 ? 0 : 1 + x);
  return { uvw, frequency, visibilities, weights };
}

/** The root mean square of the difference, relative to that of what is expected. */
export function errorOf(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0, size = 0;
  for (let i = 0; i < expected.length; i++) {
    difference += (found[i]! - expected[i]!) ** 2;
    size += expected[i]! ** 2;
  }
  return Math.sqrt(difference / size);
}
