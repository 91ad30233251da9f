/**
 * Sums, moments, logarithms and copies of frames.
 *
 * @module
 */

import { builtin } from "../../../src/udf/interface/udf_ref.ts";
import {
  DOUBLE,
  errorOfSum,
  gamma,
  largest,
  perPosition,
  roundoff,
  SINGLE,
  sumError,
} from "../verdict/bounds.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { isComplex, type Subject } from "../data/spec.ts";
import { type Truth, truthOf } from "../data/truth.ts";
import { type AnyWork, compute, work } from "../work.ts";

/** For each number of a frame: the sum over all frames of a function of it. */
function overFrames(truth: Truth, of: (sample: number, magnitude: number) => number): Float64Array {
  const sums = new Float64Array(truth.units * truth.pixels);
  for (const position of truth.present) {
    const [samples, magnitudes] = [truth.samples(position), truth.magnitudes(position)];
    for (let i = 0; i < sums.length; i++) sums[i]! += of(samples[i]!, magnitudes[i]!);
  }
  return sums;
}

/** Bounds of the sum over all frames, for each number of a frame. */
export function frameSumErrors(truth: Truth, unit: number): Float64Array {
  const { areWhole, present, sampleError } = truth;
  const facts = { areWhole, unit, relative: sampleError };
  return overFrames(truth, (_, magnitude) => magnitude).map((size) =>
    errorOfSum(size, present.length, facts)
  );
}

/** Per pixel the sum of both parts. */
function joinedParts(values: Float64Array, units: number): Float64Array {
  if (units === 1) return values;
  return Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i]! + values[2 * i + 1]!);
}

/**
 * Bounds of the standard deviation's results. The peer computes in float64; corrected samples alone are rounded to
 * float32. With x off by δ, Σ(x − m)² is off by Σ 2|x − m|δ + δ² at most, and |x − m| ≤ |x| + mean |x|.
 */
function momentErrors(truth: Truth, theirs: { std: Float64Array; var: Float64Array }) {
  const { present: { length: n }, sampleError: relative, units } = truth;
  const sizes = overFrames(truth, (_, magnitude) => magnitude);
  const squares = joinedParts(overFrames(truth, (_, magnitude) => magnitude * magnitude), units);
  const sum = sizes.map((size) => n === 0 ? 0 : (gamma(n + 8, DOUBLE) + relative) * size);
  const varsum = squares.map((square) => (16 * gamma(n + 8, DOUBLE) + 8 * relative) * square);
  const variance = varsum.map((error, i) => error / n + 4 * DOUBLE * theirs.var[i]!);
  const std = variance.map((error, i) =>
    theirs.std[i]! > 0 ? Math.min(Math.sqrt(error), error / theirs.std[i]!) : Math.sqrt(error)
  );
  return {
    sum,
    mean: sum.map((error) => error / n),
    varsum,
    var: variance,
    std: std.map((e, i) => e + 4 * DOUBLE * theirs.std[i]!),
  };
}

/** Bounds of a standard deviation alone, over all frames of the scan without corrections. */
export function standardDeviationErrors({ data }: Pick<Subject, "data">, deviation: NDArray): Float64Array {
  const std = Float64Array.from(deviation.data as Float64Array);
  const errors = momentErrors(truthOf({ data, run: { onWorkers: false } }), {
    std,
    var: std.map((x) => x * x),
  });
  return errors.std;
}

/**
 * Bounds of Σ log(x − min + 1): the argument is off by a few roundings of x and min, its logarithm accordingly, and never
 * below 0, as no rounding makes x − min negative. The peer adds in float32.
 */
export function logSumErrors(truth: Truth, unit: number): Float64Array {
  const { present, pixels } = truth;
  const errors = new Float64Array(pixels), sizes = new Float64Array(pixels);
  for (const position of present) {
    const [samples, magnitudes] = [truth.samples(position), truth.magnitudes(position)];
    const least = samples.reduce((a, b) => Math.min(a, b), Infinity);
    const at = samples.indexOf(least);
    for (let p = 0; p < pixels; p++) {
      const argument = samples[p]! - least + 1;
      const rounded = truth.sampleError * (magnitudes[p]! + magnitudes[at]!);
      const error = rounded + 3 * unit * (Math.abs(samples[p]!) + Math.abs(least) + 1);
      errors[p]! += logError(argument, error) + 2 * unit * Math.log(argument);
      sizes[p]! += Math.log(argument);
      if (!(Math.abs(argument) < largest(unit))) errors[p] = Infinity;
    }
  }
  return errors.map((error, p) => error + gamma(present.length + 8, SINGLE) * sizes[p]!);
}

/** How far log x may be off when x is off by `error`, but not below 1. */
export function logError(x: number, error: number): number {
  return Math.max(Math.log1p(error / x), Math.log(x / Math.max(1, x - error)));
}

/** The works. */
export const REDUCTIONS: readonly AnyWork[] = [
  work({
    word: "sum",
    covers: ["sum_frames"],
    params: () => ({}),
    ours: async (opened) => await compute(opened, builtin("sum_frames")),
    expect: ({ opened: { data, truth } }) => ({ intensity: frameSumErrors(truth, roundoff(data)) }),
  }),
  work({
    word: "sumsig",
    covers: ["sum_pixels"],
    params: () => ({}),
    ours: async (opened) => await compute(opened, builtin("sum_pixels")),
    expect: ({ opened: { data, truth } }) => ({
      intensity: perPosition(truth, (position) => sumError(truth, position, { unit: roundoff(data) })),
    }),
  }),
  work({
    word: "stddev",
    covers: ["standard_deviation"],
    params: () => ({}),
    ours: async (opened) => {
      const found = await compute(opened, builtin("standard_deviation"));
      const frames = Number(found.num_frames!.data[0]);
      const data = (found.var!.data as Float64Array).map((value) => frames === 0 ? 0 : value * frames);
      return { ...found, varsum: { ...found.var!, data } };
    },
    expect: ({ opened: { truth }, theirs }) => {
      const numbers = (name: string) => Float64Array.from(theirs[name]!.data as Float64Array);
      const errors = momentErrors(truth, { std: numbers("std"), var: numbers("var") });
      return { ...errors, num_frames: 0 };
    },
  }),
  work({
    word: "logsum",
    covers: ["log_sum"],
    suits: ({ data }) => !isComplex(data),
    params: () => ({}),
    ours: async (opened) => await compute(opened, builtin("log_sum")),
    expect: ({ opened: { data, truth } }) => ({ logsum: logSumErrors(truth, roundoff(data)) }),
  }),
  work({
    word: "pick",
    covers: ["pick_frames"],
    params: () => ({}),
    ours: async (opened) => await compute(opened, builtin("pick_frames")),
    expect: ({ opened: { truth } }) => {
      const { sampleError, selected, present } = truth;
      const errors = selected.flatMap((position) =>
        present.includes(position)
          ? Array.from(truth.magnitudes(position), (magnitude) => sampleError * magnitude)
          : new Array<number>(truth.units * truth.pixels).fill(0)
      );
      return { intensity: { within: errors, sameType: true } };
    },
  }),
];
