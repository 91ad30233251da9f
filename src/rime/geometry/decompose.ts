/**
 * UVW of antennas from UVW of baselines.
 *
 * For each time, the rows are the edges of a graph whose nodes are antennas. Each connected component is walked from its
 * lowest antenna, which is its origin, by the fewest edges. Rows of one time that were measured at different centroids, or
 * were changed since, have no common positions; they are found as all rows are compared with the positions afterwards.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, oneOf, whole } from "../../options/rules.ts";
import { checkedProduct } from "../../space/shape.ts";
import { countOf, mustBeFinite } from "./check.ts";

/**
 * UVW of baselines, row by row.
 * @category Measurement equation
 */
export interface BaselineRows {
  /** UVW of each row in metres: shape (nrow, 3). */
  readonly uvw: ArrayLike<number>;
  /** The first antenna of each row. */
  readonly antenna1: ArrayLike<number>;
  /** The second antenna of each row. */
  readonly antenna2: ArrayLike<number>;
  /** The number of the time of each row, from 0. Default: all rows are of one time. */
  readonly timeIndex?: ArrayLike<number>;
}

/**
 * Options of {@link decomposeUvw}.
 * @category Measurement equation
 */
export interface DecomposeOptions {
  /** Number of antennas. Whole, at least 1. Default: one more than the highest number in the rows. */
  readonly antennas?: number;
  /** Number of times. Whole, at least 1. Default: one more than the highest number in the rows. */
  readonly times?: number;
  /**
   * What rows hold: UVW of the second antenna less that of the first (`second-first`, as in Measurement Sets), or the
   * opposite. Default `second-first`.
   */
  readonly difference?: "second-first" | "first-second";
  /**
   * The largest difference in metres between a row and its antennas that counts as rounding. At least 0. Default
   * 1e-4.
   */
  readonly tolerance?: number;
}

/**
 * UVW per antenna.
 * @category Measurement equation
 */
export interface AntennaUvw {
  /** UVW in metres, NaN for antennas without rows at a time: shape (ntime, na, 3). */
  readonly uvw: Float64Array<ArrayBuffer>;
  /** The lowest antenna of the component of each antenna, -1 for antennas without rows: shape (ntime, na). */
  readonly component: Int32Array<ArrayBuffer>;
  /** The largest difference in metres between a row and its antennas. */
  readonly mismatch: number;
}

// deno-fmt-ignore: written by `deno task build`
const DECOMPOSE_OPTIONS: OptionNames<DecomposeOptions> = {
  antennas: whole(1), times: whole(1), difference: oneOf("second-first", "first-second"),
  tolerance: atLeast0,
};

/** In messages. */
const CALL = "decomposeUvw()";

/** The most rows that an error lists. */
const MOST_LISTED = 100;

/**
 * UVW of antennas from UVW of baselines. In each connected component of baselines, the antenna with the lowest number is at
 * the origin.
 *
 * Errors: `invalid` for numbers of antennas or times out of range and coordinates that are not finite; `malformed` if rows
 * contradict each other, with up to 100 of them in `details.rows`.
 *
 * @example
 * ```ts
 * import { decomposeUvw } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const { uvw } = decomposeUvw({
 *   uvw: [1, 2, 3, 4, 4, 4],
 *   antenna1: [0, 1],
 *   antenna2: [1, 3],
 * });
 * assertEquals([...uvw], [0, 0, 0, 1, 2, 3, NaN, NaN, NaN, 5, 6, 7]);
 * ```
 * @category Measurement equation
 */
export function decomposeUvw(rows: BaselineRows, options: DecomposeOptions = {}): AntennaUvw {
  checkOptionNames(CALL, options, DECOMPOSE_OPTIONS);
  const edges = edgesOf(rows, options), { antennas, times } = edges;
  checkedProduct([times, antennas, 3, 8], "UVW of antennas");
  const uvw = new Float64Array(times * antennas * 3).fill(NaN);
  const component = new Int32Array(times * antennas).fill(-1);
  walk(edges, uvw, component);
  const { wrong, mismatch } = compared(edges, uvw, options.tolerance ?? 1e-4);
  if (wrong.length > 0) throw contradiction(edges, wrong, mismatch);
  return { uvw, component, mismatch };
}

/** Rows that were checked. */
interface Edges {
  readonly count: number;
  readonly antennas: number;
  readonly times: number;
  readonly antenna1: ArrayLike<number>;
  readonly antenna2: ArrayLike<number>;
  readonly timeOf: (row: number) => number;
  /** UVW of the second antenna less that of the first. */
  readonly across: Float64Array<ArrayBuffer>;
}

function edgesOf(rows: BaselineRows, { antennas, times, difference }: DecomposeOptions): Edges {
  const { uvw, antenna1, antenna2, timeIndex } = rows;
  const count = countOf(CALL, "uvw", uvw, 3);
  mustBeFinite(CALL, "uvw", uvw, 3);
  const size = (name: string, numbers: ArrayLike<number>, limit: number | undefined) => {
    if (numbers.length !== count) throw unequal(name, numbers.length, count);
    return limitOf(name, numbers, limit);
  };
  const most = Math.max(size("antenna1", antenna1, antennas), size("antenna2", antenna2, antennas));
  const sign = difference === "first-second" ? -1 : 1;
  return {
    count,
    antennas: antennas ?? most,
    times: timeIndex ? Math.max(times ?? 0, size("timeIndex", timeIndex, times)) : times ?? 1,
    antenna1,
    antenna2,
    timeOf: timeIndex ? (row) => timeIndex[row]! : () => 0,
    across: Float64Array.from(uvw, (value) => sign * value),
  };
}

/** One more than the highest of some numbers, all of which must be below `limit`. */
function limitOf(name: string, numbers: ArrayLike<number>, limit: number = 2 ** 24): number {
  let most = 0;
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    if (Number.isInteger(number) && number >= 0 && number < limit) most = Math.max(most, number + 1);
    else {
      const text = `${CALL}: ${name}[${row}] is ${number}; it must be a whole number from 0 to ${limit - 1}`;
      throw new TilewiseError("invalid", text, { option: name, index: row, found: String(number) });
    }
  }
  return most;
}

function unequal(name: string, found: number, expected: number): TilewiseError {
  const text = `${CALL}: ${name} has ${found} numbers for ${expected} rows of uvw`;
  return new TilewiseError("invalid", text, { option: name, found, expected });
}

/** Fills the positions of all antennas that have rows. */
function walk(edges: Edges, uvw: Float64Array, component: Int32Array): void {
  const { count, antennas, times, antenna1, antenna2, timeOf, across } = edges;
  const nodes = times * antennas;
  const ends = (row: number) => {
    const base = timeOf(row) * antennas;
    return [base + antenna1[row]!, base + antenna2[row]!] as const;
  };
  const { starts, rows } = rowsByNode(nodes, count, ends);
  for (let root = 0; root < nodes; root++) {
    if (component[root] !== -1 || starts[root] === starts[root + 1]) continue;
    const origin = root % antennas;
    component[root] = origin;
    uvw.fill(0, 3 * root, 3 * root + 3);
    const queue = [root];
    for (const node of queue) {
      for (let at = starts[node]!; at < starts[node + 1]!; at++) {
        const row = rows[at]!;
        const [first, second] = ends(row);
        const [next, sign] = node === first ? [second, 1] : [first, -1];
        if (component[next] !== -1) continue;
        component[next] = origin;
        for (let k = 0; k < 3; k++) uvw[3 * next + k] = uvw[3 * node + k]! + sign * across[3 * row + k]!;
        queue.push(next);
      }
    }
  }
}

/** The rows of each node: those of node n are `rows[starts[n]]` to before `rows[starts[n + 1]]`. */
function rowsByNode(
  nodes: number,
  count: number,
  ends: (row: number) => readonly [number, number],
): { readonly starts: Int32Array; readonly rows: Int32Array } {
  const starts = new Int32Array(nodes + 1);
  for (let row = 0; row < count; row++) for (const node of ends(row)) starts[node + 1]!++;
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!;
  const rows = new Int32Array(2 * count), next = starts.slice();
  for (let row = 0; row < count; row++) for (const node of ends(row)) rows[next[node]!++] = row;
  return { starts, rows };
}

/** The rows that are not the difference of their antennas, and the largest difference. */
function compared(
  { count, antennas, antenna1, antenna2, timeOf, across }: Edges,
  uvw: Float64Array,
  tolerance: number,
): { readonly wrong: number[]; readonly mismatch: number } {
  const wrong: number[] = [];
  let mismatch = 0;
  for (let row = 0; row < count; row++) {
    const base = timeOf(row) * antennas;
    const [first, second] = [3 * (base + antenna1[row]!), 3 * (base + antenna2[row]!)];
    const off = [0, 1, 2].map((k) => uvw[second + k]! - uvw[first + k]! - across[3 * row + k]!);
    const size = Math.hypot(...off);
    mismatch = Math.max(mismatch, size);
    if (size > tolerance) wrong.push(row);
  }
  return { wrong, mismatch };
}

function contradiction(
  { count, antenna1, antenna2, timeOf }: Edges,
  wrong: readonly number[],
  mismatch: number,
): TilewiseError {
  const rows = wrong.slice(0, MOST_LISTED);
  const shown = rows.slice(0, 5).map((row) =>
    `row ${row} (time ${timeOf(row)}, antennas ${antenna1[row]} and ${antenna2[row]})`
  );
  const more = wrong.length > shown.length ? ` and ${wrong.length - shown.length} more` : "";
  const text = `${CALL}: ${wrong.length} of ${count} rows do not fit positions of antennas, by up to ${
    mismatch.toPrecision(3)
  } m: ${shown.join(", ")}${more}. UVW per baseline need no such positions`;
  return new TilewiseError("malformed", text, { rows, found: wrong.length, mismatch });
}
