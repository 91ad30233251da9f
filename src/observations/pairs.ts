/**
 * The antennas of all rows, block by block.
 *
 * @module
 */

import { throwIfAborted } from "../errors.ts";
import type { Observation } from "./observation.ts";

/** Rows that are read at a time. */
const BLOCK_ROWS = 2 ** 16;

/** The antennas of some rows. */
interface Block {
  readonly start: number;
  readonly stop: number;
  readonly antenna1: Int32Array;
  readonly antenna2: Int32Array;
}

/** Reads the antennas of all rows. */
export async function* blocksOf(observation: Observation, signal?: AbortSignal): AsyncGenerator<Block> {
  const { rows } = observation;
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    throwIfAborted(signal);
    const stop = Math.min(rows, start + BLOCK_ROWS);
    const antenna1 = await observation.antenna1(start, stop);
    yield { start, stop, antenna1, antenna2: await observation.antenna2(start, stop) };
  }
}

/** The different pairs of antennas in all rows, as `first * antennas + second`. */
export async function pairsOf(observation: Observation, signal?: AbortSignal): Promise<Set<number>> {
  const pairs = new Set<number>(), count = observation.antennas.length;
  for await (const { antenna1, antenna2 } of blocksOf(observation, signal)) {
    for (let i = 0; i < antenna1.length; i++) pairs.add(antenna1[i]! * count + antenna2[i]!);
  }
  return pairs;
}
