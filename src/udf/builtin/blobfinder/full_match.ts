/**
 * Finds lattices in a set of peaks without knowing any of their vectors.
 *
 * 1. All differences of two peaks, in one half plane, are put into groups. From the shortest on, each difference joins
 * the first group whose mean is nearer than the tolerance, or starts a new group.
 * 2. The largest groups are candidates for vectors. Each pair of candidates that is not too parallel is tried with each
 * of the peaks nearest to the middle as origin; the peaks that fit are chosen as in {@link fastmatch}.
 * 3. The score of a pair is the weight of the peaks that fit, minus the weight of all peaks times the share of the
 * plane that is near a lattice point: more peaks fit a denser lattice in any case. The pair with the highest score is
 * chosen.
 * 4. Its peaks are removed, and the search continues with the other peaks.
 *
 * Every step processes its lists in a fixed order, so that equal peaks give equal lattices.
 *
 * @module
 */

import { sine } from "../../../space/functions/functions.ts";
import { checkOptionNames } from "../../../options.ts";
import { cellTolerance, chanceOf, fitLattice } from "./match.ts";
import { cross, flatPoints } from "./lattice.ts";
import {
  FULL_MATCH_OPTIONS,
  type FullMatchOptions,
  type Lattice,
  PEAK_LIST,
  type PeakList,
  type Vector,
} from "./options/lattice.ts";
import type { ChosenMatch } from "./options/strain.ts";

/**
 * The lattices in a set of peaks, the one with the most peaks first; `selector` and `indices` of each cover all peaks.
 * The vectors are the shortest ones of their lattice. Some lattice is found in any set of peaks: `expected` says how
 * many peaks would fit it by chance, and `chance` how likely it is that the best of all tried lattices has as many. If
 * `chance` is above 0.01 there is a `warning` (see {@link fastmatch}).
 *
 * @example
 * ```ts
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const { peaks } = blobs.latticePoints({ zero: [50, 50], a: [20, 3], b: [-2, 25] }, { frame: [100, 100] });
 * const [found] = blobs.findLattices({ positions: peaks });
 * assertEquals([found?.a.map(Math.round), found?.b.map(Math.round)], [[20, 3], [-2, 25]]);
 * ```
 * @category Blob finding
 */
export function findLattices(peaks: PeakList, options: FullMatchOptions = {}): ChosenMatch[] {
  checkOptionNames("findLattices()", options, FULL_MATCH_OPTIONS);
  checkOptionNames("findLattices()", peaks, PEAK_LIST, "peaks");
  const { minMatch = 3, lattices = Infinity, minWeight = 0.1 } = options;
  const positions = flatPoints(peaks.positions, "peaks");
  const weights = Float64Array.from(
    { length: positions.length / 2 },
    (_, p) => Number.isFinite(positions[2 * p]! + positions[2 * p + 1]!) ? peaks.weights?.[p] ?? 1 : 0,
  );
  const found: ChosenMatch[] = [];
  while (found.length < lattices) {
    const free = [...weights.keys()].filter((p) => weights[p]! >= minWeight);
    const best = free.length >= Math.max(3, minMatch)
      ? bestLattice(positions, weights, free, options)
      : undefined;
    if (!best || best.matched < Math.max(3, minMatch)) break;
    found.push(best);
    best.selector.forEach((chosen, p) => chosen && (weights[p] = -1));
  }
  return found;
}

function bestLattice(
  positions: Float64Array,
  weights: Float64Array,
  free: readonly number[],
  options: FullMatchOptions,
): ChosenMatch | undefined {
  const point = (p: number): Vector => [positions[2 * p]!, positions[2 * p + 1]!];
  const points = free.map(point);
  const total = free.reduce((sum, p) => sum + weights[p]!, 0);
  const starts = startLattices(points, nearestToMiddle(free, point).map(point), options);
  let best: ChosenMatch | undefined, most = 0;
  for (const start of starts) {
    const match = fitLattice({ positions, weights }, start, options);
    if (match.matched === 0) continue;
    const weight = match.selector.reduce((sum, chosen, p) => chosen ? sum + weights[p]! : sum, 0);
    const score = weight - total * density(start, options);
    if (score <= most * (1 + 1e-9)) continue;
    const { tolerance = cellTolerance(start) } = options;
    const { matched } = match;
    best = { ...match, ...chanceOf(match, points, { matched, tolerance, tries: starts.length }) };
    most = score;
  }
  return best;
}

/** The share of the plane within the tolerance, or 3 px, of a lattice point; larger for denser lattices. */
function density({ a, b }: Lattice, { tolerance = 3 }: FullMatchOptions): number {
  return Math.min(1, Math.PI * tolerance ** 2 / Math.abs(cross(a, b)));
}

/** Lattices to try: every pair of candidates that is not too parallel, with every origin. */
function startLattices(
  points: readonly Vector[],
  origins: readonly Vector[],
  options: FullMatchOptions,
): Lattice[] {
  const { minAngle = 18 } = options;
  const vectors = candidateVectors(points, options);
  const isOpen = (a: Vector, b: Vector) =>
    Math.abs(cross(a, b)) >= sine(minAngle * Math.PI / 180) * Math.hypot(...a) * Math.hypot(...b);
  return vectors.flatMap((a, i) => vectors.slice(i + 1).filter((b) => isOpen(a, b)).map((b) => reduced(a, b)))
    .flatMap((cell) => origins.map((zero) => ({ zero, ...cell })));
}

/** The three peaks nearest to the middle of all peaks: one of them belongs to the lattice. */
function nearestToMiddle(free: readonly number[], point: (p: number) => Vector): number[] {
  const middle = [0, 1].map((d) => free.reduce((sum, p) => sum + point(p)[d]!, 0) / free.length);
  const distance = (p: number) => Math.hypot(point(p)[0] - middle[0]!, point(p)[1] - middle[1]!);
  return [...free].sort((p, q) => distance(p) - distance(q) || p - q).slice(0, 3);
}

/** Means of the largest groups of differences, the largest first. */
function candidateVectors(points: readonly Vector[], options: FullMatchOptions): Vector[] {
  const { tolerance = 3, minLength = 2 * tolerance, maxLength = Infinity, candidates = 12 } = options;
  const differences: Vector[] = [];
  for (const [i, p] of points.entries()) {
    for (const q of points.slice(i + 1)) {
      const [y, x] = [q[0] - p[0], q[1] - p[1]];
      const length = Math.hypot(y, x);
      if (length < minLength || length > maxLength) continue;
      differences.push(y > 0 || (y === 0 && x > 0) ? [y, x] : [-y, -x]);
    }
  }
  differences.sort((v, w) => Math.hypot(...v) - Math.hypot(...w) || v[0] - w[0] || v[1] - w[1]);
  return grouped(differences, tolerance).sort((g, h) => h.count - g.count || g.order - h.order)
    .slice(0, candidates).map(({ sum, count }): Vector => [sum[0] / count, sum[1] / count]);
}

interface Group {
  readonly order: number;
  sum: [number, number];
  count: number;
}

/** Groups of vectors that are near each other, or, at the border of the half plane, near the opposite of each other. */
function grouped(vectors: readonly Vector[], tolerance: number): Group[] {
  const groups: Group[] = [];
  for (const vector of vectors.slice(0, 20000)) {
    let home: Group | undefined, sign = 1;
    for (const group of groups) {
      const [y, x] = [group.sum[0] / group.count, group.sum[1] / group.count];
      const side = y * vector[0] + x * vector[1] < 0 ? -1 : 1;
      if (Math.hypot(side * vector[0] - y, side * vector[1] - x) >= tolerance) continue;
      [home, sign] = [group, side];
      break;
    }
    if (!home) groups.push({ order: groups.length, sum: [vector[0], vector[1]], count: 1 });
    else {
      home.sum = [home.sum[0] + sign * vector[0], home.sum[1] + sign * vector[1]];
      home.count++;
    }
  }
  return groups;
}

/** The shortest two vectors that span the same lattice (Gauss's reduction); `a` is the one that points more along y. */
function reduced(a: Vector, b: Vector): Pick<Lattice, "a" | "b"> {
  let [short, long] = Math.hypot(...a) <= Math.hypot(...b) ? [a, b] : [b, a];
  for (let step = 0; step < 64; step++) {
    const times = Math.round((short[0] * long[0] + short[1] * long[1]) / (short[0] ** 2 + short[1] ** 2));
    const rest: Vector = [long[0] - times * short[0], long[1] - times * short[1]];
    if (Math.hypot(...rest) >= Math.hypot(...short)) {
      long = rest;
      break;
    }
    [short, long] = [rest, short];
  }
  const [first, second] = Math.abs(short[0]) >= Math.abs(long[0]) ? [short, long] : [long, short];
  const up = (v: Vector, d: 0 | 1): Vector => v[d] < 0 ? [-v[0], -v[1]] : v;
  return { a: up(first, 0), b: up(second, 1) };
}
