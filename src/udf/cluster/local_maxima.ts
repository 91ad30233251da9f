/**
 * Local maxima of an image: pixels without a brighter neighbour, the brightest first, with a minimum distance between
 * them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { either, number, truth } from "../../options/rules.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { checkArray } from "../../space/check_array.ts";
import { denseData } from "../../sinks/arrays/numbers.ts";
import { isComplex } from "../../space/dtype.ts";
import { asNumbers } from "../../space/numbers.ts";
import { type Shape, sizeOf, stridesOf, unravel } from "../../space/shape.ts";

/**
 * Parameters of {@link localMaxima}.
 * @category Analyses
 */
export interface LocalMaximaOptions {
  /** Largest number of maxima that are returned. Any number. Default: all. */
  readonly count?: number;
  /** Smallest distance of two maxima, in pixels along any axis. Any number. Default 1. */
  readonly minDistance?: number;
  /** Maxima must be above this value. Any number. Default: the least value of the image. */
  readonly threshold?: number;
  /** Pixels at every border that cannot be maxima; `true`: `minDistance`. Default true. */
  readonly excludeBorder?: boolean | number;
}

// deno-fmt-ignore: written by `deno task build`
const MAXIMA_OPTIONS: OptionNames<LocalMaximaOptions> = {
  count: number, minDistance: number, threshold: number,
  excludeBorder: either("true, false or a number of pixels", truth, number),
};

/**
 * The local maxima of a real array of any number of dimensions, as coordinates; the brightest first, equal ones in
 * row-major order. A maximum is at least as bright as all pixels within `minDistance` along every axis; of a plateau,
 * as many pixels are returned as that distance allows. A constant image has no maxima, and NaN counts as darkest. Finds
 * the same pixels as `skimage.feature.peak_local_max`.
 *
 * @example
 * ```ts
 * import { localMaxima } from "@tilewise/tilewise/unstable/analyses";
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * const image = ndarray(Uint8Array.of(0, 0, 0, 0, 0, 0, 7, 0, 3, 0, 0, 0, 0, 0, 0), [3, 5], "uint8");
 * assertEquals(localMaxima(image), [[1, 1], [1, 3]]);
 * assertEquals(localMaxima(image, { minDistance: 3, excludeBorder: false }), [[1, 1]]);
 * ```
 * @category Analyses
 */
export function localMaxima(image: NDArray, options: LocalMaximaOptions = {}): number[][] {
  checkArray("localMaxima()", image);
  checkOptionNames("localMaxima()", options, MAXIMA_OPTIONS);
  const { count = Infinity, minDistance = 1, excludeBorder = true } = options;
  const border = excludeBorder === true ? minDistance : Number(excludeBorder);
  checkOptions(image, { count, minDistance, border });
  const { shape } = image;
  const values = Float64Array.from(asNumbers(denseData(image)), (v) => isNaN(v) ? -Infinity : v);
  const highest = boxMaximum(values, shape, minDistance);
  const isTrivial = values.every((value, i) => value === highest[i]);
  if (isTrivial) return [];
  const threshold = options.threshold ?? values.reduce((least, value) => Math.min(least, value));
  const candidates = [...values.keys()].filter((i) => values[i] === highest[i] && values[i]! > threshold)
    .map((i) => ({ value: values[i]!, at: unravel(i, shape) }))
    .filter(({ at }) => at.every((c, d) => c >= border && c < shape[d]! - border))
    .sort((a, b) => b.value - a.value); // a stable sort: equal values stay in order
  return spaced(candidates.map(({ at }) => at), minDistance, count);
}

function checkOptions(
  { shape, dtype }: NDArray,
  options: Readonly<Record<"count" | "minDistance" | "border", number>>,
): void {
  if (isComplex(dtype) || shape.length === 0) {
    const what = shape.length === 0 ? "a single number" : `${dtype} samples, which have no order`;
    throw new TilewiseError("invalid", `Cannot find local maxima of ${what}`, { found: dtype });
  }
  const { count, minDistance, border } = options;
  const whole = (n: number, least: number) => n >= least && (Number.isInteger(n) || n === Infinity);
  if (whole(count, 0) && whole(minDistance, 1) && minDistance < Infinity && whole(border, 0)) return;
  const text =
    `Cannot find ${count} local maxima at distances of ${minDistance} with a border of ${border}; ` +
    `these are whole numbers, the distance at least 1`;
  const option = !whole(count, 0) ? "count" : !whole(border, 0) ? "excludeBorder" : "minDistance";
  throw new TilewiseError("invalid", text, { option, found: minDistance });
}

/** The highest value within `reach` along every axis, one axis after another. */
function boxMaximum(values: Float64Array, shape: Shape, reach: number): Float64Array {
  const strides = stridesOf(shape);
  const size = sizeOf(shape);
  let from = values;
  shape.forEach((n, d) => {
    const to = new Float64Array(size);
    const stride = strides[d]!;
    for (let i = 0; i < size; i++) {
      const at = Math.floor(i / stride) % n;
      const last = i + (Math.min(n - 1, at + reach) - at) * stride;
      let most = -Infinity;
      for (let k = i - (at - Math.max(0, at - reach)) * stride; k <= last; k += stride) {
        if (from[k]! > most) most = from[k]!;
      }
      to[i] = most;
    }
    from = to;
  });
  return from;
}

/** The first of `candidates`, and each later one that is at least `distance` away from all that were kept before. */
function spaced(candidates: readonly number[][], distance: number, count: number): number[][] {
  const taken: number[][] = [];
  const near = new Map<string, number[][]>(); // the kept ones, by cells of this size
  const cellOf = (at: readonly number[]) => at.map((c) => Math.floor(c / distance));
  for (const at of candidates) {
    if (taken.length >= count) break;
    const neighbours = around(cellOf(at)).flatMap((cell) => near.get(cell) ?? []);
    if (neighbours.some((other) => other.every((c, d) => Math.abs(c - at[d]!) < distance))) continue;
    taken.push(at);
    const cell = cellOf(at).join();
    near.set(cell, [...near.get(cell) ?? [], at]);
  }
  return taken;
}

/** A cell and its neighbours, as keys. */
function around(cell: readonly number[]): string[] {
  const all = cell.reduce<number[][]>(
    (heads, c) => heads.flatMap((head) => [-1, 0, 1].map((step) => [...head, c + step])),
    [[]],
  );
  return all.map((one) => one.join());
}
