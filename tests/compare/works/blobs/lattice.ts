/**
 * Lattices that are fitted to peaks: by themselves, and after a correlation.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { type NDArray, ndarray } from "../../../../src/space/ndarray.ts";
import { asParam, float64, fromParam } from "../../data/arrays.ts";
import { DOUBLE, SINGLE } from "../../verdict/bounds.ts";
import type { Expectations, Results } from "../../compare.ts";
import type { Random } from "../../data/random.ts";
import { type DataSpec, isComplex, isImage, type Json, type Params } from "../../data/spec.ts";
import { diskLattice } from "../../data/values.ts";
import { type AnyWork, compute, type Judged, work } from "../../work.ts";
import { fitErrors, fitMatrix } from "../fits.ts";
import { correlateExpectations } from "./correlate.ts";
import { patternOf, type PatternParams, randomPattern } from "./patterns.ts";

type Pair = readonly [number, number];

/** Parameters of a match. */
export interface MatchParams extends Params {
  /** Of which kind. */
  readonly match: "fast" | "affine";
  /** The lattice to start from. */
  readonly zero: readonly number[];
  /** Its first vector. */
  readonly a: readonly number[];
  /** Its second vector. */
  readonly b: readonly number[];
  /** Indices of the peaks. */
  readonly indices: readonly (readonly number[])[];
  /** Tolerance and the like. */
  readonly options: Readonly<Record<string, number>>;
}

interface RefineParams extends MatchParams {
  readonly pattern: PatternParams;
  readonly method: "fast" | "full";
  readonly upsample: boolean;
  readonly shifts: null;
}

/** The peer's default tolerance, in pixels. */
export const THEIR_TOLERANCE = 3;

/** Options of ours for a match as the peer makes it: cells of less than 18 px have another default tolerance. */
function asTheirs({ a, b, options }: MatchParams): blobs.MatchOptions {
  const hasOurDefault = Math.min(Math.hypot(...a), Math.hypot(...b)) >= 6 * THEIR_TOLERANCE;
  return hasOurDefault ? options : { tolerance: THEIR_TOLERANCE, ...options };
}

/** The match of one set of peaks, by ours. */
function matched(params: MatchParams, positions: NDArray, weights: ArrayLike<number>): blobs.LatticeMatch {
  const { match, zero, a, b, indices } = params;
  const peaks = { positions, weights };
  if (match === "affine") return blobs.affinematch(peaks, indices as Pair[]);
  return blobs.fastmatch(peaks, { zero: zero as Pair, a: a as Pair, b: b as Pair }, asTheirs(params));
}

/** Options of a match, often none. */
function randomOptions(random: Random): Record<string, number> {
  return {
    ...(random.chance(0.3) ? { tolerance: random.real(0.5, 5) } : {}),
    ...(random.chance(0.3) ? { minWeight: random.real(0, 2) } : {}),
    ...(random.chance(0.3) ? { minMatch: random.int(3, 6) } : {}),
  };
}

function randomMatch(random: Random): MatchParams & { positions: Json; weights: Json } {
  const zero = [random.real(20, 60), random.real(20, 60)];
  const [a, b] = [[random.real(7, 14), random.real(-4, 4)], [random.real(-4, 4), random.real(7, 14)]];
  const count = random.int(2, 12);
  const indices = Array.from({ length: count }, () => [random.int(-4, 4), random.int(-4, 4)]);
  const noise = random.pick([0.05, 0.5, 3]);
  const positions = indices.flatMap(([i, j]) =>
    [0, 1].map((d) => zero[d]! + i! * a[d]! + j! * b[d]! + noise * random.normal())
  );
  const params = {
    match: random.pick(["fast", "affine"] as const),
    zero: zero.map((v) => v + random.real(-0.4, 0.4)),
    a: a.map((v) => v + random.real(-0.2, 0.2)),
    b: b.map((v) => v + random.real(-0.2, 0.2)),
    indices,
    options: randomOptions(random),
    weights: asParam(float64(indices.map(() => random.real(0, 5)), [count])),
  };
  const scale = random.chance(0.3) ? 3 : 1; // cells so large that both have the same default tolerance
  const scaled = (vector: readonly number[]) => vector.map((v) => scale * v);
  return {
    ...params,
    zero: scaled(params.zero),
    a: scaled(params.a),
    b: scaled(params.b),
    positions: asParam(float64(scaled(positions), [count, 2])),
  };
}

/** A lattice in frames, near to that of their disks. */
function randomRefine(random: Random, data: DataSpec): RefineParams {
  const { radius, zero, a, b } = diskLattice(data);
  const near = (vector: readonly number[], by: number) => vector.map((v) => v + random.real(-by, by));
  const all = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j] as const));
  const inside = all.filter(([i, j]) =>
    [0, 1].every((d) => {
      const at = zero[d]! + i * a[d]! + j * b[d]!;
      return at >= radius && at < data.sig[d]! - radius;
    })
  );
  return {
    match: random.pick(["fast", "fast", "affine"] as const),
    zero: near(zero, 0.4),
    a: near(a, 0.2),
    b: near(b, 0.2),
    indices: inside,
    options: randomOptions(random),
    pattern: randomPattern(random, radius, ["gradient", "background"] as never),
    method: random.pick(["fast", "full"] as const),
    upsample: false,
    shifts: null,
  };
}

const LATTICE_NAMES = ["zero", "a", "b", "selector", "error"] as const;

function asResults({ zero, a, b, selector, error }: blobs.LatticeMatch): Results {
  return {
    zero: float64(zero, [2]),
    a: float64(a, [2]),
    b: float64(b, [2]),
    selector: ndarray(selector, [selector.length], "bool"),
    error: float64([error], []),
  };
}

/** A match of the peaks that the peer found in a frame, and how near to it the peer must be. */
interface FrameMatch {
  readonly match: blobs.LatticeMatch;
  readonly bounds: MatchBounds;
}

/** Our matches of the peaks that the peer found in each frame. */
function matchesOfTheirs(
  { opened: { truth }, params, theirs }: Judged<RefineParams>,
): Map<number, FrameMatch> {
  const count = params.indices.length;
  const rows = ({ data }: NDArray, position: number, each: number) =>
    Float64Array.from(data.subarray(position * each, (position + 1) * each) as Float32Array);
  return new Map(truth.present.map((position) => {
    const positions = rows(theirs.refineds!, position, 2 * count);
    const weights = rows(theirs.peak_elevations!, position, count);
    const match = matched(params, float64(positions, [count, 2]), weights);
    return [position, { match, bounds: matchBounds(match, positions, weights, SINGLE) }] as const;
  }));
}

/** The results over the scan from matches of frames; others stay as they are in `ours`. */
function overScan(matches: Map<number, FrameMatch>, ours: Results): Results {
  const found = Object.fromEntries(
    LATTICE_NAMES.map((name) => [name, { ...ours[name]!, data: ours[name]!.data.slice() }]),
  );
  for (const [position, { match }] of matches) {
    const parts = asResults(match);
    for (const name of LATTICE_NAMES) {
      const { data } = parts[name]!;
      found[name]!.data.set(data as never, position * data.length);
    }
  }
  return found;
}

/** Bounds of what a match gives. */
interface MatchBounds {
  readonly zero: number;
  readonly a: number;
  readonly b: number;
  readonly error: number;
}

/** What a fit makes of the rounding of positions and of their products with the roots of weights, which have this roundoff. */
function matchBounds(
  match: blobs.LatticeMatch,
  positions: Float64Array,
  weights: ArrayLike<number>,
  unit: number,
): MatchBounds {
  const chosen = [...match.selector.keys()].filter((p) => match.selector[p]);
  if (chosen.length === 0) return { zero: 0, a: 0, b: 0, error: 0 };
  const index = (p: number, d: 0 | 1) => match.indices[2 * p + d]!;
  const matrix = fitMatrix(chosen.map((p) => [1, index(p, 0), index(p, 1)]), chosen.map((p) => weights[p]!));
  if (!matrix) return { zero: Infinity, a: Infinity, b: Infinity, error: Infinity };
  const rounding = 32 * unit + 4096 * DOUBLE; // of the products, and of the solver
  const off = (i: number) => {
    const [y, x] = [positions[2 * chosen[i]!]!, positions[2 * chosen[i]! + 1]!];
    return rounding * (1 + Math.abs(y) + Math.abs(x));
  };
  const [zero, a, b] = fitErrors(matrix, off) as [number, number, number];
  const point = (p: number, i: number) =>
    off(i) + zero + Math.abs(index(p, 0)) * a + Math.abs(index(p, 1)) * b;
  const error = 2 * Math.max(...chosen.map(point)) + rounding * match.error;
  return { zero, a, b, error };
}

function refineExpectations(judged: Judged<RefineParams>): Expectations {
  const { opened: { truth }, params } = judged;
  const { zero, a, b, indices } = params;
  const peaks = indices.map(([i, j]) => [0, 1].map((d) => zero[d]! + i! * a[d]! + j! * b[d]!));
  const correlation = correlateExpectations(judged, { ...params, peaks, steps: 1 } as never, params.method);
  const matches = matchesOfTheirs(judged);
  const each = (name: keyof MatchBounds) => {
    const errors = new Float64Array(truth.frames);
    for (const [position, { bounds }] of matches) errors[position] = bounds[name];
    return errors;
  };
  return {
    ...correlation,
    zero: each("zero"),
    a: each("a"),
    b: each("b"),
    selector: 0,
    error: each("error"),
  };
}

/** The works. */
export const LATTICE: readonly AnyWork[] = [
  work<MatchParams & { readonly positions: Json; readonly weights: Json }>({
    word: "match",
    alone: true,
    params: randomMatch,
    ours: (_, params) => {
      const weights = fromParam(params.weights).data as Float64Array;
      return Promise.resolve(asResults(matched(params, fromParam(params.positions), weights)));
    },
    expect: ({ params }) => {
      const [positions, weights] = [
        fromParam(params.positions),
        fromParam(params.weights).data as Float64Array,
      ];
      const match = matched(params, positions, weights);
      return { ...matchBounds(match, positions.data as Float64Array, weights, DOUBLE), selector: 0 };
    },
  }),
  work<RefineParams>({
    word: "refine",
    covers: ["refine_lattice"],
    suits: ({ data }) => isImage(data) && !isComplex(data) && data.pattern === "disks",
    params: (random, { data }) => randomRefine(random, data),
    ours: async (opened, params) => {
      const { pattern, zero, a, b, indices, match, method } = params;
      const lattice = { zero: zero as Pair, a: a as Pair, b: b as Pair };
      const udf = blobs.refineLattice({
        ...lattice,
        ...asTheirs(params),
        pattern: patternOf(pattern),
        indices: indices as Pair[],
        match,
        method,
      });
      return await compute(opened, udf);
    },
    derive: (judged) => overScan(matchesOfTheirs(judged), judged.ours),
    expect: refineExpectations,
  }),
];
