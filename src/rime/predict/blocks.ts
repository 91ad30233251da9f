/**
 * Baselines of one time in blocks of four, two antennas on each side: the order in which products are computed.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Rows with their antennas. */
export interface RowIndex {
  /** The first antenna of each row. */
  readonly antenna1: ArrayLike<number>;
  /** The second antenna of each row. */
  readonly antenna2: ArrayLike<number>;
}

/** Refuses numbers of antennas or times that do not exist. */
export function checkIndices(name: string, values: ArrayLike<number>, count: number): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isInteger(value) && value >= 0 && value < count) continue;
    const text = `Cannot predict: ${name}[${i}] is ${value}; numbers from 0 to ${count - 1} exist`;
    throw new TilewiseError("invalid", text, { option: name, index: i, found: value });
  }
}

/**
 * Writes the blocks of `rows` to `out`, eight numbers each: p0, p1, q0, q1, and the rows of (p0, q0), (p0, q1), (p1, q0), (p1, q1),
 * or −1. Blocks are in the order of their first rows; a pair of antennas that is there twice gets a block of its own. The number of
 * blocks: at most that of rows.
 */
export function blocksOf(
  out: Int32Array,
  { antenna1, antenna2 }: RowIndex,
  rows: readonly number[],
  antennas: number,
): number {
  const half = (antennas + 1) >> 1;
  const latest = new Int32Array(half * half).fill(-1); // the last block of each four antennas
  let count = 0;
  for (const row of rows) {
    const [p, q] = [antenna1[row]!, antenna2[row]!];
    const key = (p >> 1) * half + (q >> 1);
    const slot = 4 + 2 * (p & 1) + (q & 1);
    if (latest[key]! < 0 || out[latest[key]! + slot] !== -1) {
      latest[key] = 8 * count++;
      placeBlock(out, latest[key]!, p & ~1, q & ~1, antennas - 1);
    }
    out[latest[key]! + slot] = row;
  }
  return count;
}

/** A block without rows; the last antenna may have no neighbour. */
function placeBlock(out: Int32Array, at: number, p: number, q: number, last: number): void {
  out[at] = p;
  out[at + 1] = Math.min(p + 1, last);
  out[at + 2] = q;
  out[at + 3] = Math.min(q + 1, last);
  out.fill(-1, at + 4, at + 8);
}

/**
 * Writes a block for each of `rows`: antennas with two feeds each, 2 p and 2 p + 1; its "rows" are the four correlations of the
 * first of `channels` channels.
 */
export function feedBlocksOf(
  out: Int32Array,
  { antenna1, antenna2 }: RowIndex,
  rows: readonly number[],
  channels: number,
): number {
  rows.forEach((row, i) => {
    const [p, q, vis] = [2 * antenna1[row]!, 2 * antenna2[row]!, 4 * channels * row];
    out.set([p, p + 1, q, q + 1, vis, vis + 1, vis + 2, vis + 3], 8 * i);
  });
  return rows.length;
}

/** Writes p, q and row of `rows` to `out`; their number. */
export function pairsOf(out: Int32Array, { antenna1, antenna2 }: RowIndex, rows: readonly number[]): number {
  let at = 0;
  for (const row of rows) {
    out[at++] = antenna1[row]!;
    out[at++] = antenna2[row]!;
    out[at++] = row;
  }
  return rows.length;
}

/** The rows of each time that occurs, in order of time. */
export function byTime(times: ArrayLike<number>): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let row = 0; row < times.length; row++) {
    const rows = found.get(times[row]!);
    if (rows) rows.push(row);
    else found.set(times[row]!, [row]);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}
