/**
 * Compares our results with those of a peer: a fast wrong answer is not an answer.
 *
 * @module
 */

import type { NDArray, Results } from "@tilewise/tilewise";
import { readNpy } from "./files.ts";
import type { Same, Workload } from "./workloads/row.ts";

const WITHIN = 2e-3;

/** How far two results are apart. */
export interface Distance {
  /** The largest difference of those that count, relative to the largest value. */
  readonly apart: number;
  /** The share of values that are further apart than allowed. */
  readonly outliers: number;
}

/** How our results of a workload compare with files that a peer wrote. */
export interface Comparison {
  /** Where they are too far apart: buffers and by how much. */
  readonly failures: readonly string[];
  /** The largest distance of any buffer; nothing where the peer has no results. */
  readonly distance?: Distance;
}

/** Compares the results of a workload with the files of a peer in `folder`. */
export function compareWithPeer(folder: string, { name, same = [] }: Workload, results: Results): Comparison {
  const failures: string[] = [];
  let distance: Distance | undefined;
  for (const entry of same.map((one) => typeof one === "string" ? { ours: one } : one)) {
    const [udf, buffer] = entry.ours.split(".") as [string, string];
    const theirs = readNpy(`${folder}/${name}.${entry.theirs ?? buffer}.npy`);
    if (!theirs) continue;
    const found = distanceOf(results[udf]![buffer]!, theirs, entry);
    if (found.outliers > (entry.outliers ?? 0)) failures.push(`${entry.ours}: ${show(found)}`);
    distance = {
      apart: Math.max(found.apart, distance?.apart ?? 0),
      outliers: Math.max(found.outliers, distance?.outliers ?? 0),
    };
  }
  return { failures, ...(distance ? { distance } : {}) };
}

/** A distance in words. */
export function show({ apart, outliers }: Distance): string {
  const odd = outliers > 0 ? `, but for ${(100 * outliers).toPrecision(2)} % of the values` : "";
  return (apart === 0 ? "equal" : `within ${apart.toExponential(1)}`) + odd;
}

/**
 * How far `ours` is from `theirs`: complex numbers count as pairs, NaN equals NaN.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * const ours = ndarray(Float64Array.of(1, 2, 4), [3], "float64");
 * const theirs = ndarray(Float32Array.of(1, 2, 5), [3], "float32");
 * assertEquals(distanceOf(ours, theirs, { ours: "", within: 0.25 }), { apart: 0.25, outliers: 0 });
 * assertEquals(distanceOf(ours, theirs, { ours: "", within: 0.1 }), { apart: 0, outliers: 1 / 3 });
 * ```
 */
export function distanceOf(
  ours: NDArray,
  theirs: NDArray,
  { within = WITHIN, labels = false }: Same,
): Distance {
  const [a, b] = [ours, theirs].map(({ data }) => Array.from(data as ArrayLike<number>, Number)) as [
    number[],
    number[],
  ];
  if (a.length !== b.length) return { apart: Infinity, outliers: 1 };
  const [left, right] = labels ? [renamed(a, a), renamed(b, a)] : [a, b];
  const largest = a.reduce((most, value) => value * 0 === 0 ? Math.max(most, Math.abs(value)) : most, 0) || 1;
  let apart = 0, outliers = 0;
  left.forEach((value, i) => {
    const other = right[i]!;
    const difference = Object.is(value, other) || value === other ? 0 : Math.abs(value - other) / largest;
    if (difference <= within) apart = Math.max(apart, difference);
    else outliers++;
  });
  return { apart, outliers: outliers / (a.length || 1) };
}

/** Labels by the names that most of their places have in `names`. */
function renamed(labels: readonly number[], names: readonly number[]): number[] {
  const votes = new Map<number, Map<number, number>>();
  labels.forEach((label, i) => {
    const counts = votes.get(label) ?? votes.set(label, new Map()).get(label)!;
    counts.set(names[i]!, (counts.get(names[i]!) ?? 0) + 1);
  });
  const best = (counts: Map<number, number>) => [...counts].reduce((a, b) => b[1] > a[1] ? b : a)[0];
  const byLabel = new Map([...votes].map(([label, counts]) => [label, best(counts)]));
  return labels.map((label) => byLabel.get(label)!);
}
