/**
 * Fluctuation, crystallinity, and Fourier transforms of frames and of their sum.
 *
 * @module
 */

import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import { fftOfFrames, fftOfSum } from "../../../src/udf/builtin/fft_of.ts";
import type { Disk } from "../../../src/udf/builtin/runs.ts";
import { builtin } from "../../../src/udf/interface/udf_ref.ts";
import { DOUBLE, gamma, largest, perPosition, roundoff, SINGLE } from "../verdict/bounds.ts";
import type { Random } from "../data/random.ts";
import { type DataSpec, isComplex, isImage, type Params, type Subject } from "../data/spec.ts";
import type { Truth } from "../data/truth.ts";
import { type AnyWork, compute, work } from "../work.ts";
import { ringWeights } from "./plain.ts";
import { frameSumErrors } from "./reductions.ts";

/**
 * Bound of the standard deviation over n pixels, which the peer computes in the type of the samples: of the mean first,
 * then of the distances from it, of their squares, and of the root.
 */
function deviationError(truth: Truth, position: number, weights: Float64Array, unit: number): number {
  const [samples, magnitudes] = [truth.samples(position), truth.magnitudes(position)];
  const inside = [...weights.keys()].filter((p) => weights[p] !== 0);
  const n = inside.length;
  if (n === 0) return 0;
  const mean = inside.reduce((sum, p) => sum + samples[p]!, 0) / n;
  const size = inside.reduce((sum, p) => sum + magnitudes[p]!, 0);
  const meanError = (gamma(n + 4, unit) + truth.sampleError) * size / n;
  let [squares, error] = [0, 0];
  for (const p of inside) {
    const distance = Math.abs(samples[p]! - mean);
    const off = meanError + truth.sampleError * magnitudes[p]! +
      2 * unit * (Math.abs(samples[p]!) + Math.abs(mean));
    error += (2 * distance + off) * off;
    squares += (distance + off) ** 2;
  }
  if (!(squares < largest(unit))) return Infinity;
  const spread = (error + gamma(n + 8, unit) * squares) / n;
  return rootError(squares / n, spread);
}

/** How far the root of `value` may be off when `value` is off by `error`. */
function rootError(value: number, error: number): number {
  return Math.min(Math.sqrt(error), error / Math.sqrt(Math.max(value - error, 0) || Number.MIN_VALUE)) +
    4 * SINGLE * Math.sqrt(value);
}

/**
 * Bound of a number of a spectrum: ‖error‖₂ ≤ c·u·log₂ n·√n‖x‖₂ for the fast Fourier transform of n numbers (Higham,
 * §24.1). The constant covers transforms of prime lengths, which are made of longer ones.
 */
function spectrumError(samples: ArrayLike<number>, unit: number): number {
  const squares = Array.prototype.reduce.call(
    samples,
    (sum, x) => sum as number + (x as number) ** 2,
    0,
  ) as number;
  return 24 * unit * Math.log2(samples.length + 2) * Math.sqrt(samples.length * squares) + Number.MIN_VALUE;
}

/** A disk of the frame that is set to 0. */
function randomReal(random: Random, [height = 1, width = 1]: readonly number[]): { real?: Disk & Params } {
  if (random.chance(0.4)) return {};
  const [cy, cx] = [random.real(0, height - 1), random.real(0, width - 1)];
  return { real: { cy, cx, r: random.real(0, Math.min(height, width) / 2) } };
}

function isRealImage({ data }: Subject): boolean {
  return isImage(data) && !isComplex(data) && data.pattern !== "special";
}

interface RingParams extends Params {
  readonly cy: number;
  readonly cx: number;
  readonly ri: number;
  readonly ro: number;
}

interface CrystalParams extends Params {
  readonly ri: number;
  readonly ro: number;
  readonly real?: Disk & Params;
}

function ringParams(random: Random, { sig }: DataSpec): RingParams {
  const [height = 1, width = 1] = sig;
  const side = Math.min(height, width);
  return {
    cy: random.pick([height / 2, random.real(0, height - 1)]),
    cx: random.pick([width / 2, random.real(0, width - 1)]),
    ri: random.real(0, side / 3),
    ro: random.real(side / 3, side),
  };
}

/** The works. */
export const SPECTRA: readonly AnyWork[] = [
  work<RingParams>({
    word: "fem",
    covers: ["fluctuation"],
    suits: isRealImage,
    params: (random, { data }) => ringParams(random, data),
    ours: async (opened, params) =>
      await compute(opened, builtin("fluctuation", params as Record<string, number>)),
    expect: ({ opened: { data, truth }, params }) => {
      const weights = ringWeights(data.sig, params);
      return { intensity: perPosition(truth, (p) => deviationError(truth, p, weights, roundoff(data))) };
    },
  }),
  work<CrystalParams>({
    word: "crystallinity",
    covers: ["crystallinity"],
    suits: isRealImage,
    params: (random, { data: { sig } }) => {
      const side = Math.min(...sig);
      return { ri: random.real(0, side / 3), ro: random.real(side / 3, side), ...randomReal(random, sig) };
    },
    ours: async (opened, params) => await compute(opened, crystallinity(params)),
    expect: ({ opened: { data, truth }, params: { ro } }) => {
      const numbers = Math.min(truth.pixels, Math.PI * (ro + 2) ** 2); // of the ring, at most
      return {
        intensity: perPosition(truth, (position) => {
          const magnitudes = truth.magnitudes(position);
          const size = Math.sqrt(truth.pixels * magnitudes.reduce((sum, x) => sum + x * x, 0)); // ‖spectrum‖₂
          const rounding = spectrumError(magnitudes, roundoff(data)) + truth.sampleError * size;
          return Math.sqrt(numbers) * (rounding + (gamma(truth.pixels, roundoff(data)) + 4 * SINGLE) * size);
        }),
      };
    },
  }),
  work<{ readonly real?: Disk & Params } & Params>({
    word: "fft-of-sum",
    covers: ["fft_of_sum"],
    suits: isRealImage,
    params: (random, { data: { sig } }) => randomReal(random, sig),
    ours: async (opened, { real }) => {
      const { magnitude } = await compute(opened, fftOfSum(real ? { real } : {}));
      return { magnitude: magnitude! };
    },
    expect: ({ opened: { data, truth } }) => {
      const unit = roundoff(data);
      const sums = new Float64Array(truth.pixels);
      for (const position of truth.present) truth.magnitudes(position).forEach((x, p) => sums[p]! += x);
      const errors = frameSumErrors(truth, unit).reduce((sum, error) => sum + error, 0);
      return { magnitude: errors + spectrumError(sums, unit) };
    },
  }),
  work<{ readonly real?: Disk & Params } & Params>({
    word: "fft-of-frames",
    covers: ["fft_of_frames"],
    suits: isRealImage,
    params: (random, { data: { sig } }) => randomReal(random, sig),
    ours: async (opened, { real }) => {
      const { magnitude } = await compute(opened, fftOfFrames(real ? { real } : {}));
      return { magnitude: magnitude! };
    },
    expect: ({ opened: { data, truth } }) => {
      const unit = data.dtype === "float32" || data.dtype.endsWith("8") || data.dtype.endsWith("16")
        ? SINGLE
        : DOUBLE;
      return {
        magnitude: truth.selected.map((position) => {
          if (!truth.present.includes(position)) return 0;
          const magnitudes = truth.magnitudes(position);
          return spectrumError(magnitudes, unit) +
            truth.sampleError * magnitudes.reduce((sum, x) => sum + x, 0);
        }),
      };
    },
  }),
];
