/**
 * Fits a lattice to the positions of peaks: which peaks belong to it, and the vectors that fit them best.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { cellTolerance, chanceOf } from "./chance.ts";
import { cross, flatPoints } from "./lattice.ts";
import {
  type Lattice,
  MATCH_OPTIONS,
  type MatchOptions,
  PEAK_LIST,
  type PeakList,
  type PointsInput,
  type Vector,
} from "./options/lattice.ts";
import type { ChosenMatch, LatticeMatch } from "./options/strain.ts";

/**
 * Finds the peaks that belong to the lattice `start`, fits the lattice to them by weighted least squares, and repeats
 * both steps once with the fitted vectors. A peak belongs to the lattice if its index (i, j) is so near whole numbers
 * (m, n) that the length of `((i − m) |a| / √max(1, |i|), (j − n) |b| / √max(1, |j|))` is below the tolerance. Far from
 * the origin, where small errors of the vectors add up, this tolerates larger distances. With a given tolerance, the
 * peaks are the same as those of libertem-blobfinder.
 *
 * The result says how many peaks would fit by chance, `expected`, and the probability that as many do, `chance`. In the
 * plane of indices, a peak fits inside an ellipse with the half axes `tolerance √max(1, |i|) / |a|` and the same with j
 * and b. The area of the ellipse within the square of side 1 is the probability p that a peak at a random place fits.
 * `expected` is `Σ p`. `chance` is the probability that as many of n peaks fit, not counting the three that always fit.
 * If it is above 0.01 there is a `warning`.
 *
 * @example
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const positions = [[5, 5], [5, 16], [15, 5], [15, 16], [9, 9]] as const;
 * const { a, b, selector } = blobs.fastmatch({ positions }, { zero: [5, 5], a: [9, 0], b: [0, 10] });
 * assertEquals([a, b, [...selector]], [[10, 0], [0, 11], [1, 1, 1, 1, 0]]);
 * ```
 * @category Blob finding
 */
export function fastmatch(peaks: PeakList, start: Lattice, options: MatchOptions = {}): ChosenMatch {
  checkOptionNames("fastmatch()", options, MATCH_OPTIONS);
  checkPeaks("fastmatch()", peaks);
  const match = fitLattice(peaks, start, options);
  const { tolerance = cellTolerance(start) } = options;
  return {
    ...match,
    ...chanceOf(match, chosenPoints(peaks, options), { matched: match.matched, tolerance }),
  };
}

/** The match of {@link fastmatch}, without its probability. */
export function fitLattice(peaks: PeakList, start: Lattice, options: MatchOptions): LatticeMatch {
  const read = readPeaks(peaks);
  const given = { ...options, tolerance: options.tolerance ?? cellTolerance(start) };
  const first = matchOnce(read, start, given);
  return first.matched > 0 ? matchOnce(read, first, given) : first;
}

/** The peaks whose weight is large enough for a match. */
function chosenPoints(peaks: PeakList, { minWeight = 0.1 }: MatchOptions): Vector[] {
  const read = readPeaks(peaks);
  const { positions, weights } = read;
  return [...weights.keys()].filter((p) => weights[p]! >= minWeight && isFinitePoint(read, p))
    .map((p): Vector => [positions[2 * p]!, positions[2 * p + 1]!]);
}

/**
 * Fits a lattice to peaks with known indices, which may be fractional: all peaks are used, except those that are NaN.
 * @category Blob finding
 */
export function affinematch(peaks: PeakList, indices: PointsInput): LatticeMatch {
  checkPeaks("affinematch()", peaks);
  return fitAffine(peaks, indices);
}

/** {@link affinematch} for checked arguments. */
export function fitAffine(peaks: PeakList, indices: PointsInput): LatticeMatch {
  const read = readPeaks(peaks);
  const given = flatPoints(indices, "indices");
  if (given.length !== read.positions.length) {
    const text = `Cannot fit a lattice: ${read.positions.length / 2} peaks, but ${
      given.length / 2
    } pairs of indices`;
    throw new TilewiseError("invalid", text, { expected: read.positions.length, found: given.length });
  }
  const selector = read.weights.map((w, p) => w >= 0 && isFinitePoint(read, p) ? 1 : 0);
  return fit(read, given, Uint8Array.from(selector), 3);
}

function checkPeaks(call: string, peaks: PeakList): void {
  checkOptionNames(call, peaks, PEAK_LIST, "peaks");
}

/** The result if there is no match. */
export function noMatch(count: number): LatticeMatch {
  const nothing: Vector = [NaN, NaN];
  const selector = new Uint8Array(count);
  const indices = new Float64Array(2 * count).fill(NaN);
  return { zero: nothing, a: nothing, b: nothing, error: NaN, selector, indices, matched: 0 };
}

/** Peaks in the form in which the functions below read them. */
interface Peaks {
  readonly positions: Float64Array;
  readonly weights: Float64Array;
}

function readPeaks({ positions, weights }: PeakList): Peaks {
  const points = flatPoints(positions, "peaks");
  const count = points.length / 2;
  if (weights && weights.length !== count) {
    throw new TilewiseError("invalid", `Cannot fit a lattice: ${count} peaks, but ${weights.length} weights`);
  }
  return {
    positions: points,
    weights: weights ? Float64Array.from(weights) : new Float64Array(count).fill(1),
  };
}

function isFinitePoint({ positions }: Peaks, p: number): boolean {
  return Number.isFinite(positions[2 * p]) && Number.isFinite(positions[2 * p + 1]);
}

function matchOnce(
  peaks: Peaks,
  lattice: Lattice,
  { tolerance, minWeight = 0.1, minMatch = 3 }: MatchOptions & { readonly tolerance: number },
): LatticeMatch {
  const { zero, a, b } = lattice;
  const area = cross(a, b), lengthA = Math.hypot(...a), lengthB = Math.hypot(...b);
  const count = peaks.weights.length;
  const selector = new Uint8Array(count);
  const indices = new Float64Array(2 * count);
  for (let p = 0; p < count; p++) {
    const point: Vector = [peaks.positions[2 * p]! - zero[0], peaks.positions[2 * p + 1]! - zero[1]];
    const [i, j] = [cross(point, b) / area, cross(a, point) / area];
    const [m, n] = [roundHalfEven(i), roundHalfEven(j)];
    const distance = Math.hypot(
      (i - m) * lengthA / Math.sqrt(Math.max(1, Math.abs(i))),
      (j - n) * lengthB / Math.sqrt(Math.max(1, Math.abs(j))),
    );
    indices[2 * p] = m;
    indices[2 * p + 1] = n;
    if (distance < tolerance && peaks.weights[p]! >= minWeight) selector[p] = 1; // peaks with a NaN are skipped
  }
  return fit(peaks, indices, selector, Math.max(3, minMatch));
}

/** Weighted least squares of `position = zero + i a + j b` over the selected peaks. */
function fit(peaks: Peaks, indices: Float64Array, selector: Uint8Array, minMatch: number): LatticeMatch {
  const { positions, weights } = peaks;
  const chosen = [...selector.keys()].filter((p) => selector[p]);
  if (chosen.length < minMatch) return noMatch(selector.length);
  const total = (value: (p: number) => number) => chosen.reduce((sum, p) => sum + weights[p]! * value(p), 0);
  const weight = total(() => 1);
  const index = (p: number, d: number) => indices[2 * p + d]!;
  const mean = [0, 1].map((d) => total((p) => index(p, d)) / weight) as [number, number];
  const centre = [0, 1].map((d) => total((p) => positions[2 * p + d]!) / weight) as [number, number];
  const moment = (c: number, d: number) => total((p) => (index(p, c) - mean[c]!) * (index(p, d) - mean[d]!));
  const [ii, ij, jj] = [moment(0, 0), moment(0, 1), moment(1, 1)];
  const determinant = ii * jj - ij * ij;
  if (!(determinant > 1e-12 * ii * jj)) return noMatch(selector.length); // all peaks lie on one line: the second vector is undetermined
  const along = (c: number, d: number) =>
    total((p) => (index(p, c) - mean[c]!) * (positions[2 * p + d]! - centre[d]!));
  const solve = (d: number): [number, number] => {
    const [i, j] = [along(0, d), along(1, d)];
    return [(jj * i - ij * j) / determinant, (ii * j - ij * i) / determinant];
  };
  const [[ay, by], [ax, bx]] = [solve(0), solve(1)];
  const zero: Vector = [
    centre[0] - mean[0] * ay - mean[1] * by,
    centre[1] - mean[0] * ax - mean[1] * bx,
  ];
  const distance = (p: number) =>
    Math.hypot(
      zero[0] + index(p, 0) * ay + index(p, 1) * by - positions[2 * p]!,
      zero[1] + index(p, 0) * ax + index(p, 1) * bx - positions[2 * p + 1]!,
    );
  const error = total(distance) / weight;
  return { zero, a: [ay, ax], b: [by, bx], error, selector, indices, matched: chosen.length };
}
