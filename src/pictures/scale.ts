/**
 * From numbers to a scale from 0 to 1: which value is black, which is white, and which entries show nothing.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { dtypeInfo } from "../space/dtype.ts";
import type { NdArray } from "../space/ndarray.ts";
import { sameShape, sizeOf, stridesOf } from "../space/shape.ts";

/** The lowest and the highest value of a scale. */
export type Limits = readonly [low: number, high: number];

/** How limits are found. */
export interface ScaleOptions {
  /** The limits themselves, if they are known. */
  readonly range?: Limits;
  /** Share of values left out below and above, in percent: `[1, 99]`. Default `[0, 100]`: min and max. */
  readonly percentile?: Limits;
  /** Makes the limits symmetric around 0: for values of both signs. */
  readonly symmetric?: boolean;
}

/** Beyond this many values, percentiles look at an even selection. */
const MOST_SORTED = 1 << 20;

/**
 * The values of an array in row-major order: magnitudes of complex numbers, NaN where an entry is not valid.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const array = ndarray(Uint8Array.of(1, 2), [2], "uint8", Uint8Array.of(1, 0));
 * assertEquals(numbersOf(array), Float64Array.of(1, NaN));
 * ```
 */
export function numbersOf(array: NdArray): Float64Array {
  const { data, dtype } = array;
  const isValid = validity(array);
  const isComplex = dtypeInfo(dtype).kind === "c";
  const out = new Float64Array(sizeOf(array.shape));
  if (!isComplex && !array.valid && sameShape(array.stride, stridesOf(array.shape))) {
    for (let i = 0; i < out.length; i++) out[i] = Number(data[i]);
    return out;
  }
  let n = 0;
  for (const at of positions(array)) {
    const value = isComplex ? Math.hypot(Number(data[2 * at]), Number(data[2 * at + 1])) : Number(data[at]);
    out[n] = isValid(n) ? value : NaN;
    n++;
  }
  return out;
}

/**
 * Whether sample `n`, counted in row-major order, means something. A mask may have one entry for several samples:
 * one a scan position, where every position has a vector.
 */
export function validity({ valid, shape }: Pick<NdArray, "valid" | "shape">): (n: number) => boolean {
  if (!valid) return () => true;
  const each = sizeOf(shape) / valid.length;
  return (n) => valid[Math.floor(n / each)] !== 0;
}

/** The places in `data` of all entries, in row-major order; strides may be anything. */
export function* positions({ shape, stride }: Pick<NdArray, "shape" | "stride">): Generator<number> {
  if (sizeOf(shape) === 0) return;
  const index = shape.map(() => 0);
  for (let at = 0;;) {
    yield at;
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      at += stride[d]!;
      if (++index[d]! < shape[d]!) break;
      at -= stride[d]! * shape[d]!;
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

/** The limits for `values`; NaN and infinities do not count, and without any value they are 0 and 1. */
export function limitsOf(values: Float64Array, options: ScaleOptions = {}): Limits {
  const [low, high] = options.range ?? percentiles(values, options.percentile ?? [0, 100]);
  if (!(low <= high)) {
    throw new TilewiseError("invalid", `Cannot scale from ${low} to ${high}; the first must not be larger`, {
      option: options.range ? "range" : "percentile",
    });
  }
  if (!options.symmetric) return [low, high];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return [-most, most];
}

/** Where `value` lies between the limits, clipped to 0…1; NaN stays NaN. */
export function scaled(value: number, [low, high]: Limits): number {
  if (high > low) return Math.max(0, Math.min(1, (value - low) / (high - low)));
  return Number.isNaN(value) ? NaN : value > high ? 1 : 0;
}

function percentiles(values: Float64Array, [low, high]: Limits): Limits {
  if (!(low >= 0 && low <= high && high <= 100)) {
    throw new TilewiseError("invalid", `Cannot use percentiles ${low} and ${high}; write 0 to 100, rising`);
  }
  if (low === 0 && high === 100) return extremes(values);
  const step = Math.ceil(values.length / MOST_SORTED) || 1;
  const chosen = step === 1 ? values : values.filter((_, i) => i % step === 0);
  const sorted = chosen.filter(Number.isFinite).sort();
  if (sorted.length === 0) return [0, 1];
  const at = (percent: number) => sorted[Math.round(percent / 100 * (sorted.length - 1))]!;
  return [at(low), at(high)];
}

function extremes(values: Float64Array): Limits {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
