/**
 * Sums of the pixels of a pattern: at places that move, and at fixed ones.
 *
 * @module
 */

import { ndarray } from "../../../../src/space/ndarray.ts";
import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { asParam, fromParam } from "../../data/arrays.ts";
import { gamma, perEntry, roundoff, SINGLE } from "../../verdict/bounds.ts";
import { type Json, type Params, product } from "../../data/spec.ts";
import { type AnyWork, compute, type Judged, work } from "../../work.ts";
import { hasRoom } from "./correlate_params.ts";
import { patternOf, type PatternParams, randomPattern } from "./patterns.ts";

interface PlacedParams extends Params {
  readonly pattern: PatternParams;
  /** A wire array of whole numbers, shape (…scan, peaks, 2). */
  readonly positions: Json;
}

interface FeatureParams extends Params {
  readonly pattern: PatternParams;
  readonly peaks: readonly (readonly number[])[];
}

/** Bounds of sums over a pattern, which is at most this far from 0. */
function weightedErrors({ opened: { data, truth } }: Judged<Params>, pattern: PatternParams, count: number) {
  const made = patternOf(pattern);
  const half = Math.ceil(made.search);
  const mask = blobs.patternMask(made, [2 * half + 1, 2 * half + 1]).data as Float64Array;
  const size = mask.reduce((sum, weight) => sum + Math.abs(weight), 0);
  return perEntry(truth, count, (position) => {
    const largest = truth.magnitudes(position).reduce((most, value) => Math.max(most, value), 0);
    const share = gamma(mask.length + 16, SINGLE) + roundoff(data) + truth.sampleError;
    return new Float64Array(count).fill(share * size * largest);
  });
}

/** The works that add up the pixels of patterns. */
export const PLACED: readonly AnyWork[] = [
  work<PlacedParams>({
    word: "integrate",
    covers: ["integrate_peaks"],
    suits: hasRoom,
    params: (random, { data }) => {
      const count = random.int(1, 3);
      const numbers = Array.from(
        { length: product(data.nav) * count },
        () => data.sig.map((n) => random.int(-2, n + 1)),
      );
      const positions = ndarray(Int32Array.from(numbers.flat()), [...data.nav, count, 2], "int32");
      return { pattern: randomPattern(random, random.pick([1.5, 2, 3])), positions: asParam(positions) };
    },
    ours: async (opened, { pattern, positions }) =>
      await compute(
        opened,
        blobs.integratePeaks({ pattern: patternOf(pattern), positions: fromParam(positions) }),
      ),
    expect: (judged) => {
      const { pattern, positions } = judged.params;
      return { integration: weightedErrors(judged, pattern, fromParam(positions).shape.at(-2)!) };
    },
  }),
  work<FeatureParams>({
    word: "features",
    suits: hasRoom,
    params: (random, { data }) => ({
      pattern: randomPattern(random, random.pick([1.5, 2, 3])),
      peaks: Array.from({ length: random.int(1, 4) }, () => data.sig.map((n) => random.int(-2, n + 1))),
    }),
    ours: async (opened, { pattern, peaks }) => {
      const udf = blobs.featureVector({
        pattern: patternOf(pattern),
        peaks: peaks as unknown as blobs.Vector[],
      });
      return await compute(opened, udf);
    },
    expect: (judged) => ({
      intensity: weightedErrors(judged, judged.params.pattern, judged.params.peaks.length),
    }),
  }),
];
