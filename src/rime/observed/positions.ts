/**
 * Positions of antennas, from the baselines of the rows of an observation.
 *
 * @module
 */

import { isTilewiseError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { decomposeUvw } from "../geometry/decompose.ts";

/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 14;
/** A longer time than this many rows has no positions. */
const MOST_ROWS = 2 ** 20;

/**
 * Positions (ntime, na, 3) of which the baselines of rows are the differences: first antenna less second. NaN for antennas
 * without rows at a time. `undefined` if rows are not in the order of their times, or contradict each other.
 */
export async function positionsOf(observation: Observation): Promise<Float64Array | undefined> {
  const { rows, antennas, times } = observation;
  const positions = new Float64Array(3 * times.length * antennas.length).fill(NaN);
  let size = BLOCK_ROWS;
  for (let start = 0; start < rows;) {
    const stop = Math.min(rows, start + size);
    const timeIndex = await observation.timeIndex(start, stop);
    if (timeIndex.some((time, i) => i > 0 && time < timeIndex[i - 1]!)) return undefined;
    const end = stop === rows ? stop : start + timeIndex.indexOf(timeIndex.at(-1)!);
    if (end === start) { // one time has more rows than that
      if ((size *= 2) > MOST_ROWS) return undefined;
      continue;
    }
    if (!await place(observation, start, timeIndex.subarray(0, end - start), positions)) return undefined;
    start = end;
  }
  return positions;
}

/** Places the positions of the antennas in some rows, whose times are whole; whether there are any. */
async function place(
  observation: Observation,
  start: number,
  timeIndex: Int32Array,
  positions: Float64Array,
): Promise<boolean> {
  const stop = start + timeIndex.length, { antennas: { length: antennas } } = observation;
  const [antenna1, antenna2, uvw] = [
    await observation.antenna1(start, stop),
    await observation.antenna2(start, stop),
    await observation.uvw(start, stop),
  ];
  const first = timeIndex[0]!;
  const rows = withUvw({ uvw, antenna1, antenna2, timeIndex: timeIndex.map((time) => time - first) });
  try {
    const found = decomposeUvw(rows, {
      antennas,
      times: timeIndex.at(-1)! - first + 1,
      difference: "first-second",
    });
    positions.set(found.uvw, 3 * first * antennas);
    return true;
  } catch (error) {
    if (isTilewiseError(error, "malformed")) return false;
    throw error;
  }
}

/** The rows whose baselines are known. */
function withUvw(rows: Rows): Rows {
  const { uvw, antenna1, antenna2, timeIndex } = rows;
  if (uvw.every(Number.isFinite)) return rows;
  const known = [...timeIndex.keys()].filter((row) =>
    uvw.subarray(3 * row, 3 * row + 3).every(Number.isFinite)
  );
  const some = (values: Int32Array) => Int32Array.from(known, (row) => values[row]!);
  return {
    uvw: Float64Array.from(
      { length: 3 * known.length },
      (_, i) => uvw[3 * known[Math.floor(i / 3)]! + i % 3]!,
    ),
    antenna1: some(antenna1),
    antenna2: some(antenna2),
    timeIndex: some(timeIndex),
  };
}

interface Rows {
  readonly uvw: Float64Array;
  readonly antenna1: Int32Array;
  readonly antenna2: Int32Array;
  readonly timeIndex: Int32Array;
}
