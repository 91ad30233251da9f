/**
 * Correlation by its three methods, with and without upsampling.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { ndarray } from "../../../../src/space/ndarray.ts";
import { fromParam } from "../../arrays.ts";
import { perEntry, roundoff, SINGLE } from "../../bounds.ts";
import type { Expectations } from "../../compare.ts";
import type { Random } from "../../random.ts";
import {
  type DataSpec,
  isComplex,
  isImage,
  type Json,
  type Params,
  product,
  type Subject,
} from "../../spec.ts";
import type { Truth } from "../../truth.ts";
import { diskLattice } from "../../values.ts";
import { type AnyWork, compute, type Judged, work } from "../../work.ts";
import { correlated, cutOut, logarithms, type PeakBounds, peakBounds, type Picture } from "./plain.ts";
import { patternOf, type PatternParams, randomPattern } from "./patterns.ts";

type Method = "fast" | "full" | "sparse";

interface CorrelateParams extends Params {
  readonly pattern: PatternParams;
  readonly peaks: readonly (readonly number[])[];
  readonly upsample: boolean | number;
  /** The same for all frames, or one pair for each position. */
  readonly shifts: Json;
  readonly steps: number;
}

/** Frames in which disks can be looked for. */
export function hasRoom({ data }: Subject): boolean {
  return isImage(data) && !isComplex(data) && Math.min(...data.sig) >= 8 && data.pattern !== "special";
}

/** Where disks are expected: at their lattice, or anywhere, also beyond the border. */
export function randomPeaks(random: Random, data: DataSpec): number[][] {
  const { zero, a, b } = diskLattice(data);
  const count = random.int(1, 5);
  if (data.pattern === "disks" && random.chance(0.8)) {
    return Array.from({ length: count }, () => {
      const [i, j] = [random.int(-1, 1), random.int(-1, 1)];
      return [0, 1].map((d) => zero[d]! + i * a[d]! + j * b[d]!);
    });
  }
  const one = (n: number) =>
    random.pick([random.int(0, n - 1), random.int(-2, 2 * n) / 2, random.real(0, n)]);
  return Array.from({ length: count }, () => data.sig.map(one));
}

function randomShifts(random: Random, { nav }: DataSpec): Json {
  const one = () => random.pick([random.int(-3, 3), random.int(-6, 6) / 2, random.real(-3, 3)]);
  return random.chance(0.5) ? [one(), one()] : Array.from({ length: product(nav) }, () => [one(), one()]);
}

function correlateParams(random: Random, data: DataSpec, method: Method): CorrelateParams {
  const isUpsampled = method !== "sparse" && random.chance(0.3);
  const radius = random.chance(0.5) ? diskLattice(data).radius : random.pick([1.5, 2, 3]);
  return {
    pattern: randomPattern(random, Math.min(radius, Math.min(...data.sig) / 5)),
    peaks: randomPeaks(random, data),
    upsample: isUpsampled ? random.pick([true, 4, 10]) : false,
    shifts: method !== "sparse" && random.chance(0.3) ? randomShifts(random, data) : null,
    steps: random.int(1, 4),
  };
}

/** By how much the peaks of a position are moved, rounded. */
function shiftAt(shifts: Json, position: number): readonly [number, number] {
  if (shifts === null) return [0, 0];
  const list = shifts as readonly (number | readonly number[])[];
  const pair = (typeof list[0] === "number" ? list : list[position]) as readonly [number, number];
  return [halfEven(pair[0]), halfEven(pair[1])];
}

function halfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

function shiftArray(shifts: Json, nav: readonly number[]) {
  const list = shifts as readonly (number | readonly number[])[];
  const pairs = Array.from({ length: product(nav) }, (_, i) => typeof list[0] === "number" ? list : list[i]!);
  return ndarray(Float64Array.from((pairs as number[][]).flat()), [...nav, 2], "float64");
}

/** The picture that is correlated, and the correlations around a peak. */
interface Scene {
  readonly frame: Picture;
  readonly magnitude: number;
  readonly unit: number;
  readonly relative: number;
}

function scene({ opened: { data, truth } }: Judged<Params>, position: number): Scene {
  const [height, width] = data.sig as [number, number];
  const magnitude = truth.magnitudes(position).reduce((most, value) => Math.max(most, value), 0);
  const frame = { height, width, data: truth.samples(position), error: 0 };
  return { frame, magnitude, unit: roundoff(data), relative: truth.sampleError };
}

/** The map of correlations in which one peak is looked for. */
type Maps = (scene: Scene, at: readonly [number, number]) => Picture | "constant";

function isConstant({ data }: Picture): boolean {
  return data.every((value) => value === data[0]);
}

function fastMaps(pattern: blobs.MatchPattern): Maps {
  const half = Math.ceil(pattern.search);
  const mask = blobs.patternMask(pattern, [2 * half, 2 * half]).data as Float64Array;
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    const part = cutOut(frame, [y - half, x - half], 2 * half);
    if (isConstant(part)) return "constant";
    return correlated(logarithms(part, magnitude, unit, relative), mask);
  };
}

function fullMaps(pattern: blobs.MatchPattern, sig: readonly number[]): Maps {
  const half = Math.ceil(pattern.search);
  const mask = blobs.patternMask(pattern, sig).data as Float64Array;
  const known = new Map<Float64Array, Picture | "constant">();
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    const map = known.get(frame.data) ??
      (isConstant(frame) ? "constant" : correlated(logarithms(frame, magnitude, unit, relative), mask));
    known.set(frame.data, map);
    return map === "constant" ? map : cutOut(map, [y - half, x - half], 2 * half);
  };
}

/** At the steps around a peak alone: the picture is padded, so that nothing comes in from the other side. */
function sparseMaps(pattern: blobs.MatchPattern, steps: number): Maps {
  const half = Math.ceil(pattern.search);
  const side = 2 * (half + steps) + 1;
  const padded = blobs.patternMask(pattern, [side, side]).data as Float64Array;
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    if (isConstant(frame)) return "constant";
    const part = cutOut(
      logarithms(frame, magnitude, unit, relative),
      [y - half - steps, x - half - steps],
      side,
    );
    return cutOut(correlated(part, padded), [half, half], 2 * steps + 1);
  };
}

/** Bounds of the four results of a correlation. */
export function correlateExpectations(
  judged: Judged<Params>,
  { pattern, peaks, upsample, shifts, steps }: CorrelateParams,
  method: Method,
): Expectations {
  const { opened: { data, truth } } = judged;
  const made = patternOf(pattern);
  const maps = method === "fast"
    ? fastMaps(made)
    : method === "full"
    ? fullMaps(made, data.sig)
    : sparseMaps(made, steps);
  const found = new Map<number, PeakBounds[]>();
  for (const position of truth.present) {
    const [dy, dx] = shiftAt(shifts, position);
    const here = scene(judged, position);
    found.set(
      position,
      peaks.map(([y, x]) => {
        const map = maps(here, [halfEven(y!) + dy, halfEven(x!) + dx]);
        return map === "constant" ? CERTAIN : peakBounds(map);
      }),
    );
  }
  const list = (of: (bounds: PeakBounds) => number[]) =>
    perEntry(truth, peaks.length * of(CERTAIN).length, (position) => found.get(position)!.flatMap(of));
  return {
    centers: list(({ center }) => [center, center]),
    refineds: list(({ center, refined }) => {
      const off = coordinateError(data.sig) + (upsample ? center + 1.01 / factorOf(upsample) : refined);
      return [off, off];
    }),
    peak_values: list(({ value }) => [value]),
    peak_elevations: list(({ elevation }) => [elevation]),
  };
}

/** Roundings of a coordinate in float32. */
function coordinateError(sig: readonly number[]): number {
  return 8 * SINGLE * (Math.max(...sig) + 32);
}

function factorOf(upsample: boolean | number): number {
  return upsample === true ? 20 : Number(upsample);
}

/** Whether the pixels around a peak that are looked at are all alike; `entry`: which peak of all, over the scan. */
export function isFlat(data: DataSpec, truth: Truth, word: string, params: Params, entry: number): boolean {
  const { peaks, pattern, shifts } = params as CorrelateParams;
  const position = Math.floor(entry / peaks.length);
  if (!truth.present.includes(position)) return false;
  const [height, width] = data.sig as [number, number];
  const frame = { height, width, data: truth.samples(position), error: 0 };
  if (word !== "correlate-fast") return isConstant(frame);
  const half = Math.ceil(patternOf(pattern).search);
  const [y, x] = [0, 1].map((d) =>
    halfEven(peaks[entry % peaks.length]![d]!) + shiftAt(shifts, position)[d]! - half
  );
  return isConstant(cutOut(frame, [y!, x!], 2 * half));
}

/** Whether a cut-out around a peak reaches beyond the frame. */
export function reachesOut({ sig, nav }: DataSpec, params: Params): boolean {
  const { peaks, pattern, shifts } = params as CorrelateParams;
  const half = Math.ceil(patternOf(pattern).search);
  return Array.from({ length: product(nav) }, (_, position) => shiftAt(shifts, position)).some((shift) =>
    peaks.some((peak) =>
      peak.some((at, d) => at + shift[d]! - half < 1 || at + shift[d]! + half > sig[d]! - 1)
    )
  );
}

const CERTAIN: PeakBounds = { center: 0, refined: 0, value: 0, elevation: 0 };

function correlateOptions(
  params: CorrelateParams,
  nav: readonly number[],
  method: Method,
): blobs.CorrelateOptions {
  const { pattern, peaks, upsample, shifts, steps } = params;
  return {
    pattern: patternOf(pattern),
    peaks: peaks as unknown as blobs.Vector[],
    method,
    ...(method === "sparse" ? { steps } : { upsample }),
    ...(shifts === null ? {} : { shifts: shiftArray(shifts, nav) }),
  };
}

/** The works. */
export const CORRELATE: readonly AnyWork[] = (["fast", "full", "sparse"] as const).map((method) =>
  work<CorrelateParams>({
    word: `correlate-${method}`,
    covers: ["correlate"],
    suits: hasRoom,
    params: (random, { data }) => correlateParams(random, data, method),
    ours: async (opened, params) =>
      await compute(opened, blobs.correlate(correlateOptions(params, opened.data.nav, method))),
    expect: (judged) => correlateExpectations(judged, judged.params, method),
  })
);

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
  const unit = roundoff(data);
  return perEntry(truth, count, (position) => {
    const largest = truth.magnitudes(position).reduce((most, value) => Math.max(most, value), 0);
    return new Float64Array(count).fill(
      (4 * Math.sqrt(mask.length) + 8) * (2 ** -24 + unit) * size * largest +
        truth.sampleError * size * largest,
    );
  });
}

/** The works that add up the pixels of patterns. */
export const PLACED: readonly AnyWork[] = [
  work<PlacedParams>({
    word: "integrate",
    covers: ["integratepeaks"],
    suits: hasRoom,
    params: (random, { data }) => {
      const count = random.int(1, 3);
      const numbers = Array.from(
        { length: product(data.nav) * count },
        () => data.sig.map((n) => random.int(-2, n + 1)),
      );
      const positions = ndarray(Int32Array.from(numbers.flat()), [...data.nav, count, 2], "int32");
      return { pattern: randomPattern(random, random.pick([1.5, 2, 3])), positions: asWire(positions) };
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

function asWire(array: ReturnType<typeof ndarray>): Json {
  return {
    dtype: array.dtype,
    shape: array.shape,
    base64: new Uint8Array(array.data.buffer as ArrayBuffer).toBase64(),
  };
}
