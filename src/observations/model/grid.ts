/**
 * The rows of an observation on the grid of all times and all baselines, as Measurement Sets of version 4 store them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { Observation } from "../observation.ts";
import { blocksOf, pairsOf } from "../pairs.ts";

/** Rows that lie between wanted ones and are read with them, rather than in two steps. */
const GAP = 16;

/** Most places of a grid: their numbers must fit in an array. */
const MOST_PLACES = 2 ** 30;

/** Times × baselines, and which row each place has. */
export interface RowGrid {
  /** Number of times. */
  readonly times: number;
  /** First antennas of the baselines. */
  readonly antenna1: Int32Array;
  /** Second antennas of the baselines. */
  readonly antenna2: Int32Array;
  /** The row at each time and baseline, time after time; -1 where there is none. */
  readonly rows: Int32Array;
  /** Places without a row. */
  readonly missing: number;
}

/**
 * The grid: baselines in the order of their antennas, those that no row has are left out.
 *
 * Errors: `unsupported` for two rows of a baseline at one time, and for grids of more than 2^30 places.
 */
export async function gridOf(observation: Observation, signal?: AbortSignal): Promise<RowGrid> {
  const { antennas, times, rows: count } = observation;
  const sorted = Float64Array.from(await pairsOf(observation, signal)).sort();
  mustFit(observation, times.length * sorted.length);
  const places = new Map(Array.from(sorted, (pair, i) => [pair, i]));
  const rows = new Int32Array(times.length * sorted.length).fill(-1);
  for await (const { start, antenna1, antenna2 } of blocksOf(observation, signal)) {
    const index = await observation.timeIndex(start, start + antenna1.length);
    for (let i = 0; i < antenna1.length; i++) {
      const baseline = places.get(antenna1[i]! * antennas.length + antenna2[i]!)!;
      const place = index[i]! * sorted.length + baseline;
      if (rows[place] !== -1) throw twice(observation, [rows[place]!, start + i], antenna1[i]!, antenna2[i]!);
      rows[place] = start + i;
    }
  }
  return {
    times: times.length,
    antenna1: Int32Array.from(sorted, (pair) => Math.floor(pair / antennas.length)),
    antenna2: Int32Array.from(sorted, (pair) => pair % antennas.length),
    rows,
    missing: rows.length - count,
  };
}

function mustFit({ source, times }: Observation, places: number): void {
  if (places <= MOST_PLACES) return;
  const text = `Cannot put the rows of ${source} on a grid: ${times.length} times and its baselines give ` +
    `${places} places, the most are ${MOST_PLACES}; a .npy has the rows as they are`;
  throw new TilewiseError("unsupported", text, { file: source, found: places, expected: MOST_PLACES });
}

function twice(
  { source, antennas }: Observation,
  rows: readonly [number, number],
  first: number,
  second: number,
): TilewiseError {
  const text = `Cannot put the rows of ${source} on a grid: rows ${rows.join(" and ")} are both of the ` +
    `baseline ${antennas[first]!.name} – ${
      antennas[second]!.name
    } at one time; a .npy has the rows as they are`;
  throw new TilewiseError("unsupported", text, { file: source, found: rows.join(", ") });
}

/**
 * Reads rows by their numbers, which may be in any order; those of -1 are left 0.
 *
 * @param each numbers per row
 */
export async function readRows(
  read: (start: number, stop: number) => Promise<TypedArray>,
  rows: Int32Array,
  each: number,
): Promise<Float64Array> {
  const out = new Float64Array(rows.length * each);
  const places = Array.from(rows.keys()).filter((place) => rows[place]! >= 0);
  places.sort((a, b) => rows[a]! - rows[b]!);
  for (let from = 0, to; from < places.length; from = to) {
    const start = rows[places[from]!]!;
    to = from + 1;
    while (to < places.length && rows[places[to]!]! - rows[places[to - 1]!]! <= GAP) to++;
    const data = await read(start, rows[places[to - 1]!]! + 1);
    for (let i = from; i < to; i++) {
      const at = (rows[places[i]!]! - start) * each;
      for (let k = 0; k < each; k++) out[places[i]! * each + k] = Number(data[at + k]);
    }
  }
  return out;
}

// An observation whose rows are the places of its grid, time after time, or whose correlations are others: what a model of it
// is predicted for.

/** The facts of an observation and its rows, without what was observed. */
export function withoutSamples(observation: Observation, change: Partial<Observation>): Observation {
  const { visibility: _v, flag: _f, weight: _w, ...facts } = observation;
  return { ...facts, ...change };
}

/**
 * The facts of an observation as Measurement Sets have them: phases of `casa`, and their brightness. The conjugates of all
 * samples, with the same baselines or with their negatives, are that.
 */
export function asMeasurementSet({ convention, brightness, uvwSign, ...facts }: Observation): Observation {
  const isTurned = (convention === "casa") === (brightness?.conjugated ?? false);
  if (!isTurned) return { ...facts, convention: "casa", uvwSign };
  return {
    ...facts,
    convention: "casa",
    uvwSign: uvwSign === "antenna2 - antenna1" ? "antenna1 - antenna2" : "antenna2 - antenna1",
    uvw: async (start, stop) => (await facts.uvw(start, stop)).map((value) => -value),
  };
}

/** The rows in their places on the grid; places without a row have neither baseline nor duration: NaN. */
export function onGrid(
  observation: Observation,
  { rows, antenna1, antenna2 }: RowGrid,
): Partial<Observation> {
  const count = antenna1.length;
  const list = (start: number, stop: number, of: (place: number) => number) =>
    Promise.resolve(Int32Array.from({ length: stop - start }, (_, i) => of(start + i)));
  const stored = (read: (start: number, stop: number) => Promise<TypedArray>, each: number) =>
    held(async (start, stop) => {
      const own = rows.subarray(start, stop);
      const values = await readRows(read, own, each);
      own.forEach((row, place) => row < 0 && values.fill(NaN, each * place, each * (place + 1)));
      return values;
    });
  return {
    rows: rows.length,
    timeIndex: (start, stop) => list(start, stop, (place) => Math.floor(place / count)),
    antenna1: (start, stop) => list(start, stop, (place) => antenna1[place % count]!),
    antenna2: (start, stop) => list(start, stop, (place) => antenna2[place % count]!),
    uvw: stored((start, stop) => observation.uvw(start, stop), 3),
    interval: stored((start, stop) => observation.interval(start, stop), 1),
  };
}

/** Keeps the last range: tiles that differ in their channels only follow each other. */
function held(
  read: (start: number, stop: number) => Promise<Float64Array>,
): (start: number, stop: number) => Promise<Float64Array> {
  let last: { readonly key: string; readonly data: Promise<Float64Array> } | undefined;
  return async (start, stop) => {
    const key = `${start}:${stop}`;
    if (last?.key !== key) last = { key, data: read(start, stop) };
    return (await last.data).slice();
  };
}
