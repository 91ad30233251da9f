/**
 * How many peaks fit a lattice by chance.
 *
 * A peak belongs to a lattice if its index (i, j) is near whole numbers (see `fastmatch`). In the plane of indices,
 * where the cell is a square of side 1, this is an ellipse around each pair of whole numbers, with the half axes
 *
 * `α = tolerance √max(1, |i|) / |a|`, `β = tolerance √max(1, |j|) / |b|`.
 *
 * A peak at a random place fits with the probability p = the area of the ellipse inside the square: `π α β` if both are
 * below ½, and 1 if the ellipse covers the square. Of n peaks, `Σ p` are expected to fit. Three peaks fit any lattice,
 * as it is fitted to them. The probability that m of n fit by chance is P(X ≥ m − 3), where X is binomial with n − 3
 * trials and the mean of p. A lattice chosen as the best of `tries` lattices had that many chances.
 *
 * @module
 */

import { indexOf, peaksAt } from "./lattice.ts";
import type { Lattice, PointsInput, Vector } from "./options/lattice.ts";
import type { MatchChance } from "./options/strain.ts";

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
