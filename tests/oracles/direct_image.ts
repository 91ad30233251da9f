/**
 * Images, visibilities and predictions as sums over all pixels, samples and sources, as they stand in books: what the
 * gridding must give, within its error.
 *
 * @module
 */

import { type PhaseConvention, SPEED_OF_LIGHT } from "../../src/rime/geometry/constants.ts";
import { directionOf, heightOf, type ImageGrid } from "../../src/rime/image/grid.ts";

/** What all sums share. */
export interface DirectOptions {
  /** The sign of the phase of visibilities. */
  readonly convention: PhaseConvention;
  /** Whether w counts. */
  readonly wTerm: boolean;
}

/** Samples in memory. */
export interface DirectSamples {
  /** Baselines (nrow, 3). */
  readonly uvw: Float64Array;
  /** Channels (nchan). */
  readonly frequency: Float64Array;
}

/** `image[j][i] = Σ weight · Re(V · conj(phase))`: the adjoint of {@link directVisibilities}. */
export function directImage(
  { uvw, frequency }: DirectSamples,
  visibilities: ArrayLike<number>,
  weights: ArrayLike<number> | undefined,
  grid: ImageGrid,
  options: DirectOptions,
): Float64Array<ArrayBuffer> {
  const [nx, ny] = grid.pixels, nchan = frequency.length;
  const image = new Float64Array(nx * ny);
  const count = uvw.length / 3 * nchan;
  for (let pixel = 0; pixel < image.length; pixel++) {
    const [l, m] = directionOf(grid, pixel % nx, Math.floor(pixel / nx));
    for (let k = 0; k < count; k++) {
      const weight = weights ? weights[k]! : 1;
      if (weight === 0) continue;
      const [cos, sin] = phaseOf(uvw, Math.floor(k / nchan), frequency[k % nchan]!, l, m, options);
      image[pixel]! += weight * (visibilities[2 * k]! * cos + visibilities[2 * k + 1]! * sin);
    }
  }
  return image;
}

/** `V = Σ image[j][i] · phase`, as pairs. */
export function directDegrid(
  image: ArrayLike<number>,
  grid: ImageGrid,
  samples: DirectSamples,
  options: DirectOptions,
): Float64Array<ArrayBuffer> {
  const [nx] = grid.pixels;
  const lm = Float64Array.from({ length: 2 * image.length }, (_, k) => {
    const pixel = k >> 1;
    return directionOf(grid, pixel % nx, Math.floor(pixel / nx))[k & 1]!;
  });
  return directVisibilities(lm, image, samples, options);
}

/** `V = Σ flux · phase` over directions, as pairs. */
export function directVisibilities(
  lm: Float64Array,
  flux: ArrayLike<number>,
  { uvw, frequency }: DirectSamples,
  options: DirectOptions,
): Float64Array<ArrayBuffer> {
  const nchan = frequency.length, count = uvw.length / 3 * nchan;
  const out = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    for (let s = 0; s < flux.length; s++) {
      const [l, m] = [lm[2 * s]!, lm[2 * s + 1]!];
      const [cos, sin] = phaseOf(uvw, Math.floor(k / nchan), frequency[k % nchan]!, l, m, options);
      out[2 * k]! += flux[s]! * cos;
      out[2 * k + 1]! += flux[s]! * sin;
    }
  }
  return out;
}

/** The phase of a direction at a sample. */
function phaseOf(
  uvw: Float64Array,
  row: number,
  frequency: number,
  l: number,
  m: number,
  { convention, wTerm }: DirectOptions,
): [cos: number, sin: number] {
  const [u, v, w] = [uvw[3 * row]!, uvw[3 * row + 1]!, uvw[3 * row + 2]!];
  const turns = (u * l + v * m + (wTerm ? w * heightOf(l, m) : 0)) * frequency / SPEED_OF_LIGHT;
  const angle = (convention === "fourier" ? -2 : 2) * Math.PI * (turns - Math.round(turns));
  return [Math.cos(angle), Math.sin(angle)];
}
