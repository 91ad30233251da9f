/**
 * What both sides should see of a data set: which positions have a frame, and the samples after corrections, in float64.
 * Bounds of rounding are computed from these, not results.
 *
 * @module
 */

import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { roundoff } from "../verdict/bounds.ts";
import { Random } from "./random.ts";
import { type CorrectionSpec, type DataSpec, isComplex, product, type Subject } from "./spec.ts";
import { valuesOf } from "./values.ts";

/** The frames of a subject. */
export interface Truth {
  /** Numbers a sample: 2 of complex ones. */
  readonly units: 1 | 2;
  /** Samples of a frame. */
  readonly pixels: number;
  /** Positions of the scan. */
  readonly frames: number;
  /** Flat positions that are selected, ascending. */
  readonly selected: readonly number[];
  /** Flat positions that are selected and have an image. */
  readonly present: readonly number[];
  /** Positions that have an image, selected or not: from `start`, up to and without `stop`. */
  readonly imagesFrom: { readonly start: number; readonly stop: number };
  /** The samples of position number `position`; only of those that have an image. */
  samples(position: number): Float64Array;
  /** How large the numbers are that each sample was computed from. */
  magnitudes(position: number): Float64Array;
  /** Whether all samples are whole numbers, and not corrected. */
  readonly areWhole: boolean;
  /** Relative error of a sample, as corrections round it; 0 without them. */
  readonly sampleError: number;
}

/** Roundings of a sample on both sides: dark frame, gain, the mean of eight neighbours. */
const CORRECTION_ROUNDINGS = 24;

/** The frames of `subject`. */
export function truthOf({ data, run }: Subject): Truth {
  const units = isComplex(data) ? 2 : 1;
  const frames = product(data.nav);
  const values = valuesOf(data);
  const size = units * product(data.sig);
  const selected = run.roi?.selected ?? Array.from({ length: frames }, (_, i) => i);
  const imageOf = (position: number) => position + data.syncOffset;
  const isPresent = (position: number) => imageOf(position) >= 0 && imageOf(position) < data.images;
  const correct = run.corrections ? corrector(run.corrections, data) : plain;
  const seen = new Map<number, Corrected>();
  const at = (position: number) => {
    const image = imageOf(position);
    const found = seen.get(position) ?? correct(values.subarray(image * size, (image + 1) * size));
    seen.set(position, found);
    return found;
  };
  return {
    units,
    pixels: product(data.sig),
    frames,
    selected,
    present: selected.filter(isPresent),
    imagesFrom: {
      start: Math.max(0, -data.syncOffset),
      stop: Math.min(frames, data.images - data.syncOffset),
    },
    samples: (position) => at(position).samples,
    magnitudes: (position) => at(position).magnitudes,
    areWhole: !run.corrections && values.every((v) => Number.isInteger(v)),
    sampleError: run.corrections ? CORRECTION_ROUNDINGS * roundoff(data) : 0,
  };
}

/** No frames at all: the truth of what needs no data set. */
export const NO_SCAN: Truth = {
  units: 1,
  pixels: 0,
  frames: 0,
  selected: [],
  present: [],
  imagesFrom: { start: 0, stop: 0 },
  samples: () => new Float64Array(),
  magnitudes: () => new Float64Array(),
  areWhole: true,
  sampleError: 0,
};

interface Corrected {
  readonly samples: Float64Array;
  readonly magnitudes: Float64Array;
}

function plain(samples: Float64Array): Corrected {
  return { samples, magnitudes: samples.map(Math.abs) };
}

/** Dark frame and gain map of corrections. */
export function correctionMaps(
  { dark, gain, seed }: CorrectionSpec,
  { sig }: DataSpec,
): { dark?: NDArray; gain?: NDArray } {
  const random = new Random(seed, "corrections");
  const map = (dtype: "float32" | "float64", least: number, most: number) => {
    const values = Float64Array.from({ length: product(sig) }, () => random.real(least, most));
    return ndarray(dtype === "float32" ? Float32Array.from(values) : values, sig, dtype);
  };
  return {
    ...(dark ? { dark: map(dark, -1, 4) } : {}),
    ...(gain ? { gain: map(gain, 0.5, 1.5) } : {}),
  };
}

/** A function that corrects one image: dark frame, gain, then excluded pixels from their good neighbours. */
function corrector(spec: CorrectionSpec, data: DataSpec): (samples: Float64Array) => Corrected {
  const units = isComplex(data) ? 2 : 1;
  const { dark, gain } = correctionMaps(spec, data);
  const patches = patchesOf(spec.excluded, data.sig);
  return (samples) => {
    const at = (map: NDArray | undefined, i: number, otherwise: number) =>
      map ? Number(map.data[Math.floor(i / units)]) : otherwise;
    const offset = (i: number) => i % units === 0 ? at(dark, i, 0) : 0;
    const corrected = samples.map((value, i) => (value - offset(i)) * at(gain, i, 1));
    const magnitudes = samples.map((v, i) => (Math.abs(v) + Math.abs(offset(i))) * Math.abs(at(gain, i, 1)));
    for (const { pixel, neighbours } of patches) {
      for (let unit = 0; unit < units; unit++) {
        const mean = (from: Float64Array) =>
          neighbours.reduce((sum, p) => sum + from[units * p + unit]!, 0) / neighbours.length;
        corrected[units * pixel + unit] = mean(corrected);
        magnitudes[units * pixel + unit] = mean(magnitudes);
      }
    }
    return { samples: corrected, magnitudes };
  };
}

/** The good neighbours of each excluded pixel that has some. */
function patchesOf(excluded: readonly (readonly number[])[], sig: readonly number[]) {
  const flat = (at: readonly number[]) => at.reduce((index, c, d) => index * sig[d]! + c, 0);
  const bad = new Set(excluded.map(flat));
  const around = (at: readonly number[]): number[] => {
    let places: number[][] = [[]];
    at.forEach((c, d) => {
      const steps = [c - 1, c, c + 1].filter((n) => n >= 0 && n < sig[d]!);
      places = places.flatMap((place) => steps.map((step) => [...place, step]));
    });
    return places.map(flat).filter((pixel) => !bad.has(pixel));
  };
  return excluded.map((at) => ({ pixel: flat(at), neighbours: around(at) }))
    .filter(({ neighbours }) => neighbours.length > 0);
}
