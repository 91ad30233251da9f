/**
 * Counts of values, in parts, so that nothing has to wait for an image of any size.
 *
 * @module
 */

import type { Limits, Plane } from "../../src/pictures/mod.ts";
import { lengths } from "./limits.ts";
import type { Planes } from "./numbers.ts";

/** How often values occur. */
export interface Counts {
  /** The lowest and the highest value that has a place. */
  readonly domain: Limits;
  /** Values per interval; the last interval has its upper end as well. */
  readonly counts: Uint32Array;
  /** Finite values that were counted. */
  readonly total: number;
  /** The share of the rows that has been counted, 0 to 1. */
  readonly done: number;
}

/** Samples between two parts. */
const PART = 1 << 16;

/** The values whose counts are shown: numbers, or lengths. */
export function countedPlane({ parts: [first, second] }: Planes): Plane {
  return second ? lengths(first, second) : first;
}

/** The lowest and the highest finite value, and what is known after each part; 0 and 1 if there is none. */
export function* extremesOf(plane: Plane): Generator<Limits, Limits> {
  let [low, high] = [Infinity, -Infinity];
  const line = new Float64Array(plane.width);
  const range = (): Limits => low <= high ? [low, high] : [0, 1];
  for (let y = 0, samples = 0; y < plane.height; y++) {
    plane.row(y, line);
    for (let i = 0; i < line.length; i++) {
      const value = line[i]!;
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
    if ((samples += line.length) < PART) continue;
    samples = 0;
    yield range();
  }
  return range();
}

/** Counts values in `bins` intervals of the domain; values beside it are not counted. */
export function* countValues(plane: Plane, domain: Limits, bins: number): Generator<Counts, Counts> {
  const counts = new Uint32Array(bins);
  const [low, high] = domain;
  const span = high - low;
  const line = new Float64Array(plane.width);
  let total = 0;
  for (let y = 0, samples = 0; y < plane.height; y++) {
    plane.row(y, line);
    for (let i = 0; i < line.length; i++) {
      const value = line[i]!;
      if (!(value >= low && value <= high)) continue;
      const bin = span > 0 ? (value - low) / span * bins | 0 : 0;
      counts[bin < bins ? bin : bins - 1]!++;
      total++;
    }
    if ((samples += line.length) < PART) continue;
    samples = 0;
    yield { domain, counts, total, done: (y + 1) / plane.height };
  }
  return { domain, counts, total, done: 1 };
}

/** How many intervals are useful: one per whole number for whole numbers in a small range. */
export function binsFor([low, high]: Limits, isWhole: boolean, most: number): number {
  const span = high - low + 1;
  return isWhole && span <= 2 * most ? Math.max(1, Math.round(span)) : most;
}

/** The part of all values that is shown: all, or the surroundings of limits that are narrow. */
export function domainFor([low, high]: Limits, [first, last]: Limits): Limits {
  const span = last - first;
  if (!(span > 0) || span > (high - low) / 8) return [Math.min(low, first), Math.max(high, last)];
  const margin = 3 * span;
  return [Math.max(Math.min(low, first), first - margin), Math.min(Math.max(high, last), last + margin)];
}

/** Heights from 0 to 1 on a logarithmic scale, so that rare values can be seen. */
export function heightsOf(counts: Uint32Array): Float64Array {
  let most = 1;
  for (const count of counts) if (count > most) most = count;
  return Float64Array.from(counts, (count) => Math.log1p(count) / Math.log1p(most));
}
