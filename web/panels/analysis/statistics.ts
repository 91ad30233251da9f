/**
 * A few numbers about an image: for the panel of results, and to compare two.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";

/** Numbers about the valid and finite values of an array. */
export interface Statistics {
  /** How many there are. */
  readonly count: number;
  /** Values that are not valid or not finite. */
  readonly others: number;
  /** The least; NaN if there is none. */
  readonly min: number;
  /** The greatest. */
  readonly max: number;
  /** Their mean. */
  readonly mean: number;
  /** Their standard deviation over the population. */
  readonly deviation: number;
}

/** The statistics of an array; of complex values, those of their magnitudes. */
export function statisticsOf(array: NDArray): Statistics {
  let [count, min, max, mean, squares] = [0, Infinity, -Infinity, 0, 0];
  const total = array.shape.reduce((product, n) => product * n, 1);
  const value = valuesOf(array);
  const isValid = validity(array);
  for (let i = 0; i < total; i++) {
    const x = value(i);
    if (!Number.isFinite(x) || !isValid(i)) continue;
    count++;
    min = Math.min(min, x);
    max = Math.max(max, x);
    const before = x - mean;
    mean += before / count;
    squares += before * (x - mean); // Welford
  }
  const others = total - count;
  if (count === 0) return { count, others, min: NaN, max: NaN, mean: NaN, deviation: NaN };
  return { count, others, min, max, mean, deviation: Math.sqrt(squares / count) };
}

/** Entry `i` as a number; of complex numbers the magnitude. */
export function valuesOf({ data, dtype }: NDArray): (i: number) => number {
  if (dtype.startsWith("complex")) return (i) => Math.hypot(Number(data[2 * i]), Number(data[2 * i + 1]));
  return (i) => Number(data[i]);
}

/** Whether entry `i` is valid. A mask may have one byte for several entries. */
export function validity({ valid, shape }: NDArray): (i: number) => boolean {
  if (!valid || valid.length === 0) return () => true;
  const each = shape.reduce((product, n) => product * n, 1) / valid.length;
  return (i) => valid[Math.floor(i / each)] !== 0;
}

/** A number for people: up to five digits, `–` for none. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9) return String(value);
  return size >= 1e6 || (size > 0 && size < 1e-3)
    ? value.toExponential(3)
    : String(Number(value.toPrecision(5)));
}
