/**
 * Finds the sources of `tilewise demo radio`: the brightest pixel of an image becomes a source, all sources are fitted, what is
 * left is imaged again, until nothing is brighter than noise.
 *
 * @module
 */

import type { Observation } from "../../observations/observation.ts";
import { compared, fitSources } from "../../rime/fit/fit_sources.ts";
import { dirtyImage } from "../../rime/image/dirty.ts";
import type { ImageGrid } from "../../rime/image/grid.ts";
import { readSamples } from "../../rime/observed/product.ts";
import { predict } from "../../rime/predict/predict.ts";
import type { SkyModel } from "../../rime/predict/problem.ts";
import type { Context } from "../../runner/context.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { NOISE } from "./demo_array.ts";
import { peakOf } from "./peak.ts";

/** Most sources. */
const MOST = 10;

/** A peak of an image is a source if it is so many times brighter than noise. */
const SIGNIFICANT = 7;

/** Sources that were found. */
export interface Found {
  /** Direction cosines and fluxes. */
  readonly sky: SkyModel;
  /** What is left of the image. */
  readonly residual: NDArray<"float64"> | NDArray<"float32">;
  /** Noise of the image in Jy per beam. */
  readonly noise: number;
  /** χ², divided by the number of real numbers that were observed: 1 if nothing but noise is left. */
  readonly chiSquared: number;
  /** By how much directions (in radians, of a source of 1 Jy) and fluxes are uncertain: one standard deviation. */
  readonly uncertainty: { readonly direction: number; readonly flux: number };
  /** Steps of all fits. */
  readonly steps: number;
}

/** How it runs. */
interface FindOptions {
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Called before each part of the work. */
  readonly note: (text: string) => void;
}

/** Finds the sources in an observation with four correlations. */
export async function findSources(
  observation: Observation,
  grid: ImageGrid,
  { context, signal, note }: FindOptions,
): Promise<Found> {
  const { rows, frequencies: frequency, convention } = observation;
  const uvw = await observation.uvw(0, rows);
  const observed = Float64Array.from(await readSamples(observation.visibility!, 0, rows) as Float64Array);
  const samples = observed.length / 2;
  const weight = new Float64Array(samples).fill(1 / NOISE ** 2);
  const noise = NOISE / Math.sqrt(samples / 2); // of Stokes I: two of the four correlations count
  const settings = { context, convention, signal };
  let sky: SkyModel = { lm: new Float64Array(0), stokes: new Float64Array(0) };
  for (let steps = 0;;) {
    const sources = sky.lm.length / 2;
    note(`imaging what ${sources === 0 ? "was observed" : `${sources} sources leave`}`);
    const model = sources === 0
      ? new Float64Array(observed.length)
      : (await predict({ uvw, frequency, sky }, settings)).data as Float64Array;
    const { residual, chiSquared } = compared(observed, model, weight);
    const { image } = await dirtyImage({ uvw, frequency, visibilities: stokesI(residual) }, grid, settings);
    const peak = peakOf(image, grid, observation.field);
    if (sources === MOST || Math.abs(peak.value) < SIGNIFICANT * noise) {
      const uncertainty = { direction: noise / wavesOf(uvw, frequency), flux: noise };
      return { sky, residual: image, noise, chiSquared: chiSquared / (2 * samples), uncertainty, steps };
    }
    note(`fitting ${sources + 1} ${sources === 0 ? "source" : "sources"}`);
    const start = {
      lm: Float64Array.of(...sky.lm, peak.l, peak.m),
      stokes: Float64Array.of(...sky.stokes, peak.value, 0, 0, 0),
    };
    const fit = await fitSources({ uvw, frequency, sky: start, observed, weight }, settings);
    sky = fit.sky;
    steps += fit.steps;
  }
}

/** Half the sum of XX and YY of each sample. */
function stokesI(samples: Float64Array): Float64Array {
  const out = new Float64Array(samples.length / 4);
  for (let i = 0; i < out.length; i += 2) {
    out[i] = (samples[4 * i]! + samples[4 * i + 6]!) / 2;
    out[i + 1] = (samples[4 * i + 1]! + samples[4 * i + 7]!) / 2;
  }
  return out;
}

/** The root mean square of 2π u ν / c, the smaller of those along u and along v. */
function wavesOf(uvw: Float64Array, frequency: Float64Array): number {
  const squares = [0, 0];
  for (let i = 0; i < uvw.length; i += 3) for (const k of [0, 1] as const) squares[k]! += uvw[i + k]! ** 2;
  const wave = frequency.reduce((sum, one) => sum + (2 * Math.PI * one / 299792458) ** 2, 0) /
    frequency.length;
  return Math.sqrt(Math.min(...squares) / (uvw.length / 3) * wave);
}
