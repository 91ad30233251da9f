/**
 * Fits a lattice to the positions of peaks: which peaks belong to it, and the vectors that fit them best.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { roundHalfEven } from "../../../masks/frame.ts";
import { checkOptionNames } from "../../../options.ts";
import { cross, flatPoints, indexOf, peaksAt } from "./lattice.ts";
import {
  type Lattice,
  MATCH_OPTIONS,
  type MatchOptions,
  PEAK_LIST,
  type PeakList,
  type PointsInput,
  type Vector,
} from "./options/lattice.ts";
import type { ChosenMatch, LatticeMatch, MatchChance } from "./options/strain.ts";

// How many peaks fit a lattice by chance.
//
// A peak belongs to a lattice if its index (i, j) is near whole numbers (see `fastmatch`). In the plane of indices,
// where the cell is a square of side 1, this is an ellipse around each pair of whole numbers, with the half axes
//
// `α = tolerance √max(1, |i|) / |a|`, `β = tolerance √max(1, |j|) / |b|`.
//
// A peak at a random place fits with the probability p = the area of the ellipse inside the square: `π α β` if both are
// below ½, and 1 if the ellipse covers the square. Of n peaks, `Σ p` are expected to fit. Three peaks fit any lattice,
// as it is fitted to them. The probability that m of n fit by chance is P(X ≥ m − 3), where X is binomial with n − 3
// trials and the mean of p. A lattice chosen as the best of `tries` lattices had that many chances.

/** Without a given tolerance, it is at most this share of the shorter vector. */
const SHARE_OF_VECTOR = 1 / 6;

/**
 * The default tolerance for a lattice: 3 px, or a sixth of the shorter vector if that is less. Of peaks at random
 * places, at most π / 36 = 9 % then fit a square cell near the origin.
 */
export function cellTolerance({ a, b }: Pick<Lattice, "a" | "b">): number {
  return Math.min(3, SHARE_OF_VECTOR * Math.min(Math.hypot(...a), Math.hypot(...b)));
}

/** The probability that a peak at a random place near `point` fits the lattice. */
export function chanceAt(lattice: Lattice, point: Vector, tolerance: number): number {
  const [i, j] = indexOf(lattice, point);
  const halfAxis = (index: number, vector: Vector) =>
    tolerance * Math.sqrt(Math.max(1, Math.abs(index))) / Math.hypot(...vector);
  return ellipseInSquare(halfAxis(i, lattice.a), halfAxis(j, lattice.b));
}

/** The area of the ellipse with these half axes that lies inside the square of side 1 around its centre. */
export function ellipseInSquare(alpha: number, beta: number): number {
  if (!(alpha > 0 && beta > 0)) return 0;
  const end = Math.min(0.5, alpha);
  const flat = beta > 0.5 ? Math.min(end, alpha * Math.sqrt(1 - (0.5 / beta) ** 2)) : 0; // the square bounds the ellipse here
  const integral = (u: number) => { // integral of √(1 − (u/α)²)
    const s = Math.min(1, u / alpha);
    return alpha / 2 * (s * Math.sqrt(1 - s * s) + Math.asin(s));
  };
  return 4 * (flat / 2 + beta * (integral(end) - integral(flat)));
}

/** Matches with a higher probability count as no better than chance. */
const LIMIT = 0.01;

/** How likely it is that `matched` of `points` fit a lattice by chance, if it is the best of `tries` lattices. */
export function chanceOf(
  lattice: Lattice,
  points: readonly Vector[],
  { matched, tolerance, tries = 1 }: {
    readonly matched: number;
    readonly tolerance: number;
    readonly tries?: number;
  },
): MatchChance {
  if (matched === 0) return { expected: NaN, chance: NaN };
  const expected = points.reduce((sum, point) => sum + chanceAt(lattice, point, tolerance), 0);
  const tail = binomialTail(points.length - 3, expected / points.length, matched - 3);
  const chance = Math.min(1, tries * tail);
  if (chance <= LIMIT) return { expected, chance };
  const warning = `${matched} of ${points.length} peaks fit the lattice, which is no better than chance: ` +
    `${expected.toFixed(1)} would fit if they were anywhere`;
  return { expected, chance, warning };
}

/** If a larger share of disks than this fits by chance, a fit has no meaning. */
export const MOST_BY_CHANCE = 0.5;

/** The warnings of the UDF `name` before a run: whether most disks fit at any place. */
export function toleranceWarnings(
  name: string,
  options: Lattice & { readonly indices: PointsInput; readonly tolerance?: number; readonly match?: string },
): string[] {
  if (options.match === "affine") return [];
  const { a, b, indices, tolerance = cellTolerance(options) } = options;
  const chances = peaksAt(options, indices).map((peak) => chanceAt(options, peak, tolerance));
  const share = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
  if (!(share > MOST_BY_CHANCE)) return [];
  const [lengthA, lengthB] = [a, b].map((v) => Math.hypot(...v).toFixed(1));
  return [
    `${name}: ${percent(share)} of the disks fit the lattice wherever they are, as a tolerance of ` +
    `${
      Number(tolerance.toFixed(2))
    } px is wide for vectors of ${lengthA} and ${lengthB} px; give a smaller one`,
  ];
}

/** A share as text. */
export function percent(share: number): string {
  return `${Math.round(100 * Math.max(0, share))} %`;
}

/** P(X ≥ k) of a binomial X with n trials. */
export function binomialTail(n: number, p: number, k: number): number {
  if (k <= 0 || p >= 1) return 1;
  if (k > n || p <= 0) return 0;
  let log = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let i = 1; i <= k; i++) log += Math.log((n - k + i) / i);
  let sum = 0, term = 1;
  for (let i = k; i <= n && term > 0; i++) {
    sum += term;
    term *= (n - i) / (i + 1) * p / (1 - p);
  }
  return Math.min(1, Math.exp(log) * sum);
}

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
function noMatch(count: number): LatticeMatch {
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
