/**
 * How long the baselines of an observation are: what plots and images are scaled by.
 *
 * @module
 */

import { throwIfAborted } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";

/** Rows that are read at a time. */
const BLOCK_ROWS: number = 2 ** 16;

/** The baselines of an observation in metres. */
export interface Extent {
  /** Rows with a baseline: those of two different antennas, with finite coordinates. */
  readonly rows: number;
  /** The other rows. */
  readonly left: number;
  /** The largest length of (u, v). */
  readonly longest: number;
  /** The largest |u| and |v|. */
  readonly most: readonly [u: number, v: number];
  /** The largest |w|. */
  readonly mostW: number;
}

/** Where in (u, v) the rows of an observation are, read block by block. */
export async function* uvBlocks(
  observation: Observation,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly uvw: Float64Array; readonly stop: number }> {
  const { rows } = observation;
  for (let start = 0; start < rows; start += BLOCK_ROWS) {
    throwIfAborted(signal);
    const stop = Math.min(rows, start + BLOCK_ROWS);
    yield { uvw: await observation.uvw(start, stop), stop };
  }
}

/** Whether a row has a baseline: not an antenna with itself, and finite. */
export function hasBaseline(uvw: Float64Array, row: number): boolean {
  const square = uvw[3 * row]! ** 2 + uvw[3 * row + 1]! ** 2;
  return square > 0 && Number.isFinite(square);
}

/** Reads all baselines once. */
export async function extentOf(
  observation: Observation,
  { signal, onRows = () => {} }: { readonly signal?: AbortSignal; readonly onRows?: (rows: number) => void } =
    {},
): Promise<Extent> {
  let [rows, square, u, v, w] = [0, 0, 0, 0, 0];
  for await (const { uvw, stop } of uvBlocks(observation, signal)) {
    for (let row = 0; row < uvw.length / 3; row++) {
      if (!hasBaseline(uvw, row)) continue;
      const [x, y] = [uvw[3 * row]!, uvw[3 * row + 1]!];
      rows++;
      square = Math.max(square, x * x + y * y);
      u = Math.max(u, Math.abs(x));
      v = Math.max(v, Math.abs(y));
      w = Math.max(w, Math.abs(uvw[3 * row + 2]!));
    }
    onRows(stop);
  }
  return { rows, left: observation.rows - rows, longest: Math.sqrt(square), most: [u, v], mostW: w };
}
