/**
 * Peaks that do not span a lattice.
 *
 * @module
 */

import type * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { indexOf } from "../../../../src/udf/builtin/blobfinder/lattice.ts";
import type { Params } from "../../data/spec.ts";
import { fitMatrix } from "../fits.ts";
import type { MatchParams } from "./lattice.ts";

type Pair = readonly [number, number];

/** Peaks as the peer has matched them. */
export interface MatchedPeaks {
  /** Where they are, as pairs. */
  readonly positions: ArrayLike<number>;
  /** How much each counts. */
  readonly weights: ArrayLike<number>;
  /** Which belong to the lattice. */
  readonly selector: ArrayLike<number>;
}

/**
 * Whether the peaks that are chosen in one of both passes lie on a line of the lattice, or are fewer than three: those of
 * the first pass by the lattice that is given, those of the second by the one that fits them.
 */
export function isOnLine(params: Params, peaks: MatchedPeaks): boolean {
  const { match, zero, a, b, indices, options } = params as unknown as MatchParams;
  if (match === "affine") return leastSpread(indices as readonly Pair[]) < 1e-6;
  const { tolerance = 3, minWeight = 0.1 } = options;
  const positions = pointsOf(peaks.positions);
  const start = { zero: zero as Pair, a: a as Pair, b: b as Pair };
  const first = positions.map((at, p) => ({ at, weight: peaks.weights[p]!, index: rounded(start, at) }))
    .filter(({ at, weight }) => weight >= minWeight && distanceFrom(start, at) < tolerance);
  const matrix = fitMatrix(first.map(({ index }) => [1, ...index]), first.map(({ weight }) => weight));
  if (!matrix) return true;
  const fitted = matrix.map((row) =>
    [0, 1].map((d) => row.reduce((sum, g, p) => sum + g * first[p]!.at[d]!, 0)) as unknown as Pair
  );
  const second = { zero: fitted[0]!, a: fitted[1]!, b: fitted[2]! };
  const chosen = positions.filter((_, p) => peaks.selector[p] !== 0);
  return leastSpread(chosen.map((at) => rounded(second, at))) < 1e-6;
}

function pointsOf(numbers: ArrayLike<number>): Pair[] {
  return Array.from({ length: numbers.length / 2 }, (_, p): Pair => [numbers[2 * p]!, numbers[2 * p + 1]!]);
}

function rounded(lattice: blobs.Lattice, at: Pair): Pair {
  return indexOf(lattice, at).map(Math.round) as unknown as Pair;
}

/** How far a peak is from its lattice point; further out it may be further away. */
function distanceFrom(lattice: blobs.Lattice, at: Pair): number {
  const [i, j] = indexOf(lattice, at);
  const off = (index: number, vector: blobs.Vector) =>
    Math.abs(index - Math.round(index)) * Math.hypot(...vector) / Math.sqrt(Math.max(1, Math.abs(index)));
  return Math.hypot(off(i, lattice.a), off(j, lattice.b));
}

/** The least spread of points in any direction: 0 where they lie on a line. */
function leastSpread(points: readonly (readonly [number, number])[]): number {
  const n = points.length || 1;
  const mean = [0, 1].map((d) => points.reduce((sum, p) => sum + p[d]!, 0) / n);
  const moment = (c: number, d: number) =>
    points.reduce((sum, p) => sum + (p[c]! - mean[c]!) * (p[d]! - mean[d]!), 0);
  const [ii, ij, jj] = [moment(0, 0), moment(0, 1), moment(1, 1)];
  const root = Math.hypot((ii - jj) / 2, ij);
  return Math.sqrt(Math.max(0, (ii + jj) / 2 - root));
}
