/**
 * Maps numbers to a scale from 0 to 1: which value is black, which is white, and which entries are transparent.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/**
 * The lowest and the highest value of a scale.
 * @category Results
 */
export type Limits = readonly [low: number, high: number];

/**
 * How limits are determined.
 * @category Results
 */
export interface ScaleOptions {
  /** The limits, if they are known. */
  readonly range?: Limits;
  /** Percentiles of the values that are the limits. With `[1, 99]`, 1 percent is ignored at each end. Default 0 and 100: min and max. */
  readonly percentile?: Limits;
  /** Makes the limits symmetric around 0: for values of both signs. */
  readonly symmetric?: boolean;
}

/** With more values than this, percentiles use an evenly spaced selection. */
const MOST_SORTED = 1 << 20;

/** The limits for `values`. NaN and infinities are ignored; without any value the limits are 0 and 1. */
export function limitsOf(values: Float64Array, options: ScaleOptions = {}): Limits {
  return limitsIn([values], values.length, options);
}

/** The limits for the values of all `blocks`, `count` values in total; see {@link limitsOf}. */
export function limitsIn(
  blocks: Iterable<Float64Array>,
  count: number,
  options: ScaleOptions = {},
): Limits {
  const [low, high] = options.range ?? percentiles(blocks, count, options.percentile ?? [0, 100]);
  if (!(low <= high)) {
    throw new TilewiseError("invalid", `Cannot scale from ${low} to ${high}; the first must not be larger`, {
      option: options.range ? "range" : "percentile",
    });
  }
  if (!options.symmetric) return [low, high];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return [-most, most];
}

/** The position of `value` between the limits, clipped to 0…1; NaN stays NaN. */
export function scaled(value: number, limits: Limits): number {
  return scaleOf(limits)(value);
}

/** {@link scaled} between these limits, for many values. */
export function scaleOf([low, high]: Limits): (value: number) => number {
  if (!(high > low)) return (value) => Number.isNaN(value) ? NaN : value > high ? 1 : 0;
  const span = high - low;
  return (value) => Math.max(0, Math.min(1, (value - low) / span));
}

function percentiles(blocks: Iterable<Float64Array>, count: number, [low, high]: Limits): Limits {
  if (!(low >= 0 && low <= high && high <= 100)) {
    throw new TilewiseError("invalid", `Cannot use percentiles ${low} and ${high}; write 0 to 100, rising`);
  }
  if (low === 0 && high === 100) return extremes(blocks);
  const sorted = selected(blocks, count).sort();
  if (sorted.length === 0) return [0, 1];
  const at = (percent: number) => sorted[Math.round(percent / 100 * (sorted.length - 1))]!;
  return [at(low), at(high)];
}

/** All finite values, or those of an evenly spaced selection of at most `MOST_SORTED` values. */
function selected(blocks: Iterable<Float64Array>, count: number): Float64Array {
  const step = Math.ceil(count / MOST_SORTED) || 1;
  const chosen = new Float64Array(Math.ceil(count / step));
  let [kept, next] = [0, 0]; // number of values kept; position of the next one in the block
  for (const block of blocks) {
    for (; next < block.length; next += step) {
      if (Number.isFinite(block[next]!)) chosen[kept++] = block[next]!;
    }
    next -= block.length;
  }
  return chosen.subarray(0, kept);
}

function extremes(blocks: Iterable<Float64Array>): Limits {
  let [low, high] = [Infinity, -Infinity];
  for (const block of blocks) {
    for (let i = 0; i < block.length; i++) {
      const value = block[i]!;
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}
