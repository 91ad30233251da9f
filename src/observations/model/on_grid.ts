/**
 * An observation whose rows are the places of its grid, time after time, or whose correlations are others: what a model of it
 * is predicted for.
 *
 * @module
 */

import type { TypedArray } from "../../space/dtype.ts";
import type { Observation } from "../observation.ts";
import { readRows, type RowGrid } from "./grid.ts";

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
