/**
 * The pairs of antennas in an observation.
 *
 * @module
 */

import type { Observation } from "./observation.ts";

/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 16;

/** Number of different pairs of antennas in the rows. */
export async function pairsOf(observation: Observation): Promise<number> {
  const { rows, antennas } = observation;
  const pairs = new Set<number>();
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    const stop = Math.min(rows, start + BLOCK_ROWS);
    const [first, second] = [
      await observation.antenna1(start, stop),
      await observation.antenna2(start, stop),
    ];
    for (let i = 0; i < first.length; i++) pairs.add(first[i]! * antennas.length + second[i]!);
  }
  return pairs.size;
}
