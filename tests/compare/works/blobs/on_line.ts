/**
 * Peaks that do not span a lattice.
 *
 * @module
 */

import type * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { indexOf } from "../../../../src/udf/builtin/blobfinder/lattice.ts";
import type { NdArray } from "../../../../src/space/ndarray.ts";
import { fromParam } from "../../arrays.ts";
import type { Results } from "../../compare.ts";
import type { Json, Params } from "../../spec.ts";
import { fitMatrix } from "../fits.ts";
import type { MatchParams } from "./lattice.ts";

type Pair = readonly [number, number];

/**
 * Whether the peaks that are chosen in one of both passes lie on a line of the lattice, or are fewer than three: those of
 * the first pass by the lattice that is given, those of the second by the one that fits them.
 */
export function isOnLine(params: Params, { selector }: Results): boolean {
  const given = params as unknown as MatchParams & { positions: Json; weights: Json };
  const positions = pointsOf(fromParam(given.positions));
  const weights = Array.from(fromParam(given.weights).data as Float64Array);
  const chosen = positions.filter((_, p) => Number(selector!.data[p]) !== 0);
  if (given.match === "affine") return leastSpread(given.indices as Pair[]) < 1e-6;
  const { zero, a, b, options: { tolerance = 3, minWeight = 0.1 } } = given;
  const start = { zero: zero as Pair, a: a as Pair, b: b as Pair };
  const first = positions.map((at, p) => ({ at, weight: weights[p]!, index: rounded(start, at) }))
    .filter(({ at, weight }) => weight >= minWeight && distanceFrom(start, at) < tolerance);
  const matrix = fitMatrix(first.map(({ index }) => [1, ...index]), first.map(({ weight }) => weight));
  if (!matrix) return true;
  const fitted = matrix.map((row) =>
    [0, 1].map((d) => row.reduce((sum, g, p) => sum + g * first[p]!.at[d]!, 0)) as unknown as Pair
  );
  const second = { zero: fitted[0]!, a: fitted[1]!, b: fitted[2]! };
  return leastSpread(chosen.map((at) => rounded(second, at))) < 1e-6;
}

function pointsOf({ data }: NdArray): Pair[] {
  return Array.from(
    { length: data.length / 2 },
    (_, p): Pair => [Number(data[2 * p]), Number(data[2 * p + 1])],
  );
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
