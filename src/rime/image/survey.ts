/**
 * A look at all baselines before a run: how far u, v and w reach.
 *
 * @module
 */

import { throwIfAborted } from "../../errors.ts";
import { Turns } from "../../turns.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import type { CheckedRows } from "./rows.ts";

/** Wavelengths. */
export interface Reach {
  /** Largest |u|. */
  readonly u: number;
  /** Largest |v|. */
  readonly v: number;
  /** Least and largest |w|. */
  readonly w: readonly [least: number, most: number];
}

/** Rows that are read at a time. */
const ROWS = 65536;

/** How far baselines reach in all channels; those that are not numbers do not count. */
export async function reachOf(
  { nrow, uvw, frequency }: CheckedRows,
  signal: AbortSignal | undefined,
): Promise<Reach> {
  const most = [0, 0, 0];
  let least = Infinity;
  const turns = new Turns();
  for (let start = 0; start < nrow; start += ROWS) {
    throwIfAborted(signal);
    const values = await uvw(start, Math.min(nrow, start + ROWS));
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i]!), axis = i % 3;
      if (!(size < Infinity)) continue;
      if (size > most[axis]!) most[axis] = size;
      if (axis === 2 && size < least) least = size;
    }
    if (turns.due) await turns.give();
  }
  const low = frequency.reduce((a, b) => Math.min(a, b), Infinity) / SPEED_OF_LIGHT;
  const high = frequency.reduce((a, b) => Math.max(a, b), 0) / SPEED_OF_LIGHT;
  const [u, v, w] = most.map((metres) => metres * high) as [number, number, number];
  return { u, v, w: least < Infinity && low < Infinity ? [least * low, w] : [0, 0] };
}
