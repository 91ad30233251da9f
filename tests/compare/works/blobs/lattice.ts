/**
 * Lattices that are fitted to peaks: by themselves, and after a correlation.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { type NdArray, ndarray } from "../../../../src/space/ndarray.ts";
import { asParam, float64, fromParam } from "../../arrays.ts";
import { SINGLE } from "../../bounds.ts";
import type { Expectations, Results } from "../../compare.ts";
import type { Random } from "../../random.ts";
import { type DataSpec, isComplex, isImage, type Json, type Params } from "../../spec.ts";
import { diskLattice } from "../../values.ts";
import { type AnyWork, compute, type Judged, work } from "../../work.ts";
import { correlateExpectations } from "./correlate.ts";
import { patternOf, type PatternParams, randomPattern } from "./patterns.ts";

type Pair = readonly [number, number];

interface MatchParams extends Params {
  readonly match: "fast" | "affine";
  readonly zero: readonly number[];
  readonly a: readonly number[];
  readonly b: readonly number[];
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

/** The match of one set of peaks, by ours. */
function matched(params: MatchParams, positions: NdArray, weights: ArrayLike<number>): blobs.LatticeMatch {
  const { match, zero, a, b, indices, options } = params;
  const peaks = { positions, weights };
  if (match === "affine") return blobs.affinematch(peaks, indices as Pair[]);
  return blobs.fastmatch(peaks, { zero: zero as Pair, a: a as Pair, b: b as Pair }, options);
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
  return {
    match: random.pick(["fast", "affine"] as const),
    zero: zero.map((v) => v + random.real(-0.4, 0.4)),
    a: a.map((v) => v + random.real(-0.2, 0.2)),
    b: b.map((v) => v + random.real(-0.2, 0.2)),
    indices,
    options: randomOptions(random),
    positions: asParam(float64(positions, [count, 2])),
    weights: asParam(float64(indices.map(() => random.real(0, 5)), [count])),
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

/** Our matches of the peaks that the peer found in each frame. */
function matchesOfTheirs(
  { opened: { truth }, params, theirs }: Judged<RefineParams>,
): Map<number, blobs.LatticeMatch> {
  const count = params.indices.length;
  const rows = ({ data }: NdArray, position: number, each: number) =>
    Float64Array.from(data.subarray(position * each, (position + 1) * each) as Float32Array);
  return new Map(truth.present.map((position) => {
    const positions = float64(rows(theirs.refineds!, position, 2 * count), [count, 2]);
    return [position, matched(params, positions, rows(theirs.peak_elevations!, position, count))] as const;
  }));
}

/** The results over the scan from matches of frames; others stay as they are in `ours`. */
function overScan(matches: Map<number, blobs.LatticeMatch>, ours: Results): Results {
  const found = Object.fromEntries(
    LATTICE_NAMES.map((name) => [name, { ...ours[name]!, data: ours[name]!.data.slice() }]),
  );
  for (const [position, match] of matches) {
    const parts = asResults(match);
    for (const name of LATTICE_NAMES) {
      const { data } = parts[name]!;
      found[name]!.data.set(data as never, position * data.length);
    }
  }
  return found;
}

/** Whether the peaks that the peer has chosen lie on a line of the lattice, or are fewer than three. */
export function isOnLine(params: Params, { selector }: Results): boolean {
  const indices = params.indices as readonly Pair[];
  return spreadsOf(indices.filter((_, p) => Number(selector!.data[p]) !== 0))[0] < 1e-6;
}

/** Fits in which rounding decides, or whose points do not span a lattice. */
function latticeErrors(match: blobs.LatticeMatch, largest: number): { vector: number; error: number } {
  if (!Number.isFinite(match.zero[0])) return { vector: 0, error: 0 };
  const chosen = [...match.selector.keys()].filter((p) => match.selector[p]);
  const spread = Math.min(
    ...spreadsOf(chosen.map((p) => [match.indices[2 * p]!, match.indices[2 * p + 1]!])),
  );
  const vector = spread > 1e-6
    ? 2e3 * SINGLE * (largest + 100) * Math.sqrt(chosen.length) / spread
    : Infinity;
  return { vector, error: 20 * vector };
}

/** The least and the largest spread of points. */
function spreadsOf(points: readonly (readonly [number, number])[]): [number, number] {
  const n = points.length || 1;
  const mean = [0, 1].map((d) => points.reduce((sum, p) => sum + p[d]!, 0) / n);
  const moment = (c: number, d: number) =>
    points.reduce((sum, p) => sum + (p[c]! - mean[c]!) * (p[d]! - mean[d]!), 0);
  const [ii, ij, jj] = [moment(0, 0), moment(0, 1), moment(1, 1)];
  const root = Math.hypot((ii - jj) / 2, ij);
  return [Math.sqrt(Math.max(0, (ii + jj) / 2 - root)), Math.sqrt((ii + jj) / 2 + root)];
}

function refineExpectations(judged: Judged<RefineParams>): Expectations {
  const { opened: { data, truth }, params } = judged;
  const { zero, a, b, indices } = params;
  const peaks = indices.map(([i, j]) => [0, 1].map((d) => zero[d]! + i! * a[d]! + j! * b[d]!));
  const correlation = correlateExpectations(judged, { ...params, peaks, steps: 1 } as never, params.method);
  const matches = matchesOfTheirs(judged);
  const largest = Math.max(...data.sig);
  const each = (of: (errors: { vector: number; error: number }) => number) => {
    const bounds = new Float64Array(truth.frames);
    for (const [position, match] of matches) bounds[position] = of(latticeErrors(match, largest));
    return bounds;
  };
  const vector = each((errors) => errors.vector);
  return {
    ...correlation,
    zero: vector,
    a: vector,
    b: vector,
    selector: 0,
    error: each((errors) => errors.error),
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
      const weights = fromParam(params.weights).data as Float64Array;
      const { vector, error } = latticeErrors(matched(params, fromParam(params.positions), weights), 60);
      const share = 1e-6; // both compute in float64
      return {
        zero: share * vector,
        a: share * vector,
        b: share * vector,
        selector: 0,
        error: share * error,
      };
    },
  }),
  work<RefineParams>({
    word: "refine",
    covers: ["refinelattice"],
    suits: ({ data }) => isImage(data) && !isComplex(data) && data.pattern === "disks",
    params: (random, { data }) => randomRefine(random, data),
    ours: async (opened, { pattern, zero, a, b, indices, match, method, options }) => {
      const lattice = { zero: zero as Pair, a: a as Pair, b: b as Pair };
      const udf = blobs.refineLattice({
        ...lattice,
        ...options,
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
