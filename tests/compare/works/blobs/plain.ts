/**
 * Correlation of a picture with a pattern, plainly and in float64: what is certain about its maximum when both sides have
 * computed in float32.
 *
 * @module
 */

import { gamma, SINGLE } from "../../verdict/bounds.ts";

/** A square or rectangular picture. */
export interface Picture {
  readonly height: number;
  readonly width: number;
  /** Row by row. */
  readonly data: Float64Array;
  /** How far each of its numbers may be off. */
  readonly error: number;
}

/** A picture whose numbers have been replaced by log(x − min + 1); `unit`: roundoff, `relative`: of the samples. */
export function logarithms(picture: Picture, magnitude: number, unit: number, relative: number): Picture {
  const least = picture.data.reduce((low, value) => Math.min(low, value), Infinity);
  let error = 0;
  const data = picture.data.map((value) => {
    const argument = value - least + 1;
    const off = 3 * unit * (Math.abs(value) + Math.abs(least) + 1) + 2 * relative * magnitude;
    if (off > 0.25) error = Infinity; // x − (min − 1), as the peer has it, may be 0
    error = Math.max(error, Math.log1p(off / argument), Math.log(argument / Math.max(1, argument - off)));
    return Math.log(argument);
  });
  const largest = data.reduce((most, value) => Math.max(most, value), 0);
  return { ...picture, data, error: error + 4 * SINGLE * largest };
}

/** Correlations at all places of a picture, which repeats itself at its borders. */
export function correlated(picture: Picture, mask: ArrayLike<number>): Picture {
  const { height, width, data } = picture;
  const [cy, cx] = [Math.floor(height / 2), Math.floor(width / 2)];
  const taps = Array.from(
    mask,
    (weight, i) => ({ weight, dy: Math.floor(i / width) - cy, dx: i % width - cx }),
  )
    .filter(({ weight }) => weight !== 0);
  const out = new Float64Array(height * width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (const { weight, dy, dx } of taps) {
        const v = y + dy < 0 ? y + dy + height : y + dy >= height ? y + dy - height : y + dy;
        const u = x + dx < 0 ? x + dx + width : x + dx >= width ? x + dx - width : x + dx;
        sum += weight * data[v * width + u]!;
      }
      out[y * width + x] = sum;
    }
  }
  return { height, width, data: out, error: convolutionError(picture, taps.map(({ weight }) => weight)) };
}

/**
 * Bound of a convolution by three fast Fourier transforms: c·u·log₂ n·‖mask‖₂‖picture‖₂, besides what the errors of the
 * picture make.
 */
function convolutionError({ height, width, data, error }: Picture, weights: readonly number[]): number {
  const norm = (values: Iterable<number>) => Math.sqrt([...values].reduce((sum, x) => sum + x * x, 0));
  const size = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  return 24 * SINGLE * Math.log2(height * width + 2) * norm(weights) * norm(data) + size * error;
}

/** The part of `side` pixels around a place; outside of the picture it is 0. */
export function cutOut(picture: Picture, [top, left]: readonly [number, number], side: number): Picture {
  const data = new Float64Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [v, u] = [top + y, left + x];
      const isInside = v >= 0 && v < picture.height && u >= 0 && u < picture.width;
      data[y * side + x] = isInside ? picture.data[v * picture.width + u]! : 0;
    }
  }
  return { height: side, width: side, data, error: picture.error };
}

/** Bounds of what is found in one map of correlations. */
export interface PeakBounds {
  readonly center: number;
  readonly refined: number;
  readonly value: number;
  readonly elevation: number;
}

/** Nothing is certain. */
export const UNCERTAIN: PeakBounds = {
  center: Infinity,
  refined: Infinity,
  value: Infinity,
  elevation: Infinity,
};

/**
 * How far the highest place, the centre of mass around it, its height and its elevation may be apart when two maps are
 * each within `error` of this one.
 */
export function peakBounds(map: Picture): PeakBounds {
  const { data, height, width, error } = map;
  const highest = data.reduce((best, value, i) => value > data[best]! ? i : best, 0);
  const top = data[highest]!;
  const value = 2 * error + 4 * SINGLE * Math.abs(top);
  const rivals = data.reduce((count, other) => other >= top - 2 * error ? count + 1 : count, 0);
  if (rivals > 1) return { ...UNCERTAIN, value };
  const [y, x] = [Math.floor(highest / width), highest % width];
  const { place, off } = massCentre(map, y, x);
  if (!Number.isFinite(off)) return { ...UNCERTAIN, center: 0, value };
  return {
    center: 0,
    refined: 2 * off + 8 * SINGLE * Math.max(height, width),
    value,
    elevation: elevation(map, top, place, off),
  };
}

/** The centre of mass in 5 × 5 pixels, fewer near the border, and how far it may be off. */
function massCentre({ data, height, width, error }: Picture, y: number, x: number) {
  const reach = Math.min(2, y, x, height - y - 1, width - x - 1);
  if (reach <= 0) return { place: [y, x] as const, off: 0 };
  const places: [number, number, number][] = [];
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) places.push([dy, dx, data[(y + dy) * width + x + dx]!]);
  }
  const least = Math.min(...places.map(([, , value]) => value));
  const total = places.reduce((sum, [, , value]) => sum + value - least, 0);
  const moment = (d: 0 | 1) => places.reduce((sum, place) => sum + place[d] * (place[2] - least), 0);
  const each = 2 * error + gamma(64, SINGLE) * total;
  const slack = places.length * each;
  const off = total > slack ? 2 * reach * slack / (total - slack) : Infinity;
  return { place: [y + moment(0) / total, x + moment(1) / total] as const, off };
}

/** How far the least slope from a peak at `place`, which may be `off`, may be apart. */
function elevation(map: Picture, top: number, [y, x]: readonly [number, number], off: number): number {
  const { data, width, error } = map;
  let [low, high] = [Infinity, Infinity];
  data.forEach((value, i) => {
    const distance = Math.hypot(Math.floor(i / width) - y, i % width - x);
    const slack = 2 * off + 1e-6;
    if (distance + slack < 1.5) return;
    const drop = top - value;
    low = Math.min(low, (drop - 2 * error) / (drop > 0 ? distance + slack : Math.max(1.4, distance - slack)));
    if (distance - slack >= 1.5) high = Math.min(high, (drop + 2 * error) / (distance - slack));
  });
  if (low === Infinity) return 0; // no pixel is far enough: both say infinity, or nothing
  return Math.max(0, high) - Math.max(0, low) + 8 * SINGLE * Math.abs(top);
}
