/**
 * The maps of correlations in which peaks are looked for, by method.
 *
 * @module
 */

import * as blobs from "../../../../src/udf/builtin/blobfinder/mod.ts";
import { roundoff } from "../../verdict/bounds.ts";
import type { DataSpec, Params } from "../../data/spec.ts";
import type { Truth } from "../../data/truth.ts";
import type { Opened } from "../../work.ts";
import { type CorrelateParams, halfEven, shiftAt } from "./correlate_params.ts";
import { patternOf } from "./patterns.ts";
import { correlated, cutOut, logarithms, type Picture } from "./plain.ts";

/** What is correlated. */
export interface Scene {
  /** The frame. */
  readonly frame: Picture;
  /** How large its samples are. */
  readonly magnitude: number;
  /** Roundoff of the peer. */
  readonly unit: number;
  /** Relative error of the samples. */
  readonly relative: number;
}

/** The frame of a position. */
export function scene({ data, truth }: Pick<Opened, "data" | "truth">, position: number): Scene {
  const [height, width] = data.sig as [number, number];
  const magnitude = truth.magnitudes(position).reduce((most, value) => Math.max(most, value), 0);
  const frame = { height, width, data: truth.samples(position), error: 0 };
  return { frame, magnitude, unit: roundoff(data), relative: truth.sampleError };
}

/** The map of correlations in which one peak is looked for. */
export type Maps = (scene: Scene, at: readonly [number, number]) => Picture | "constant";

/** Whether all pixels are alike. */
export function isConstant({ data }: Picture): boolean {
  return data.every((value) => value === data[0]);
}

/** The cut-out around a peak by itself. */
export function fastMaps(pattern: blobs.MatchPattern): Maps {
  const half = Math.ceil(pattern.search);
  const mask = blobs.patternMask(pattern, [2 * half, 2 * half]).data as Float64Array;
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    const part = cutOut(frame, [y - half, x - half], 2 * half);
    if (isConstant(part)) return "constant";
    return correlated(logarithms(part, magnitude, unit, relative), mask);
  };
}

/** The whole frame, of which a part is looked at. */
export function fullMaps(pattern: blobs.MatchPattern, sig: readonly number[]): Maps {
  const half = Math.ceil(pattern.search);
  const mask = blobs.patternMask(pattern, sig).data as Float64Array;
  const known = new Map<Float64Array, Picture | "constant">();
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    const map = known.get(frame.data) ??
      (isConstant(frame) ? "constant" : correlated(logarithms(frame, magnitude, unit, relative), mask));
    known.set(frame.data, map);
    return map === "constant" ? map : cutOut(map, [y - half, x - half], 2 * half);
  };
}

function sparseMask(pattern: blobs.MatchPattern, side: number): Float64Array {
  return blobs.patternMask(pattern, [side, side]).data as Float64Array;
}

/** At the steps around a peak alone: the picture is padded, so that nothing comes in from the other side. */
export function sparseMaps(pattern: blobs.MatchPattern, steps: number, mask = sparseMask): Maps {
  const half = Math.ceil(pattern.search);
  const side = 2 * (half + steps) + 1;
  const padded = mask(pattern, side);
  return ({ frame, magnitude, unit, relative }, [y, x]) => {
    if (isConstant(frame)) return "constant";
    const part = cutOut(
      logarithms(frame, magnitude, unit, relative),
      [y - half - steps, x - half - steps],
      side,
    );
    return cutOut(correlated(part, padded), [half, half], 2 * steps + 1);
  };
}

/** Whether the pixels around a peak that are looked at are all alike; `entry`: which peak of all, over the scan. */
export function isFlat(data: DataSpec, truth: Truth, word: string, params: Params, entry: number): boolean {
  const { peaks, pattern, shifts } = params as CorrelateParams;
  const position = Math.floor(entry / peaks.length);
  if (!truth.present.includes(position)) return false;
  const [height, width] = data.sig as [number, number];
  const frame = { height, width, data: truth.samples(position), error: 0 };
  if (word !== "correlate-fast") return isConstant(frame);
  const half = Math.ceil(patternOf(pattern).search);
  const [y, x] = [0, 1].map((d) =>
    halfEven(peaks[entry % peaks.length]![d]!) + shiftAt(shifts, position)[d]! - half
  );
  return isConstant(cutOut(frame, [y!, x!], 2 * half));
}

/** Whether the cut-out around a peak reaches beyond the frame; `entry`: which peak of all, over the scan. */
export function reachesOut({ sig }: DataSpec, params: Params, entry: number): boolean {
  const { peaks, pattern, shifts } = params as CorrelateParams;
  const half = Math.ceil(patternOf(pattern).search);
  const shift = shiftAt(shifts, Math.floor(entry / peaks.length));
  return peaks[entry % peaks.length]!.some((peak, d) => {
    const at = halfEven(peak) + shift[d]!;
    return at < half || at + half > sig[d]!;
  });
}
