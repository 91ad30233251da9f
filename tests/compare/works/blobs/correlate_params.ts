/**
 * Random parameters of correlations: patterns, peaks, shifts.
 *
 * @module
 */

import { type NDArray, ndarray } from "../../../../src/space/ndarray.ts";
import type { Random } from "../../data/random.ts";
import {
  type DataSpec,
  isComplex,
  isImage,
  type Json,
  type Params,
  product,
  type Subject,
} from "../../data/spec.ts";
import { diskLattice } from "../../data/values.ts";
import { type PatternParams, randomPattern } from "./patterns.ts";

/** A way to correlate. */
export type Method = "fast" | "full" | "sparse";

/** Parameters of a correlation. */
export interface CorrelateParams extends Params {
  /** What a disk looks like. */
  readonly pattern: PatternParams;
  /** Where disks are expected. */
  readonly peaks: readonly (readonly number[])[];
  /** Steps a pixel; true: the default. */
  readonly upsample: boolean | number;
  /** The same for all frames, or one pair for each position. */
  readonly shifts: Json;
  /** Of `sparse`: places on each side of a peak. */
  readonly steps: number;
}

/** Frames in which disks can be looked for. */
export function hasRoom({ data }: Subject): boolean {
  return isImage(data) && !isComplex(data) && Math.min(...data.sig) >= 8 && data.pattern !== "special";
}

/** Where disks are expected: at their lattice, or anywhere, also beyond the border. */
export function randomPeaks(random: Random, data: DataSpec): number[][] {
  const { zero, a, b } = diskLattice(data);
  const count = random.int(1, 5);
  if (data.pattern === "disks" && random.chance(0.8)) {
    return Array.from({ length: count }, () => {
      const [i, j] = [random.int(-1, 1), random.int(-1, 1)];
      return [0, 1].map((d) => zero[d]! + i * a[d]! + j * b[d]!);
    });
  }
  const one = (n: number) =>
    random.pick([random.int(0, n - 1), random.int(-2, 2 * n) / 2, random.real(0, n)]);
  return Array.from({ length: count }, () => data.sig.map(one));
}

function randomShifts(random: Random, { nav }: DataSpec): Json {
  const one = () => random.pick([random.int(-3, 3), random.int(-6, 6) / 2, random.real(-3, 3)]);
  return random.chance(0.5) ? [one(), one()] : Array.from({ length: product(nav) }, () => [one(), one()]);
}

/** Random parameters. */
export function correlateParams(random: Random, data: DataSpec, method: Method): CorrelateParams {
  const isUpsampled = method !== "sparse" && random.chance(0.3);
  const radius = random.chance(0.5) ? diskLattice(data).radius : random.pick([1.5, 2, 3]);
  return {
    pattern: randomPattern(random, Math.min(radius, Math.min(...data.sig) / 5)),
    peaks: randomPeaks(random, data),
    upsample: isUpsampled ? random.pick([true, 4, 10]) : false,
    shifts: method !== "sparse" && random.chance(0.3) ? randomShifts(random, data) : null,
    steps: random.int(1, 4),
  };
}

/** By how much the peaks of a position are moved, rounded. */
export function shiftAt(shifts: Json, position: number): readonly [number, number] {
  if (shifts === null) return [0, 0];
  const list = shifts as readonly (number | readonly number[])[];
  const pair = (typeof list[0] === "number" ? list : list[position]) as readonly [number, number];
  return [halfEven(pair[0]), halfEven(pair[1])];
}

/** The nearest whole number, halves to the even one. */
export function halfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** Shifts as an array over the scan. */
export function shiftArray(shifts: Json, nav: readonly number[]): NDArray {
  const list = shifts as readonly (number | readonly number[])[];
  const pairs = Array.from({ length: product(nav) }, (_, i) => typeof list[0] === "number" ? list : list[i]!);
  return ndarray(Float64Array.from((pairs as number[][]).flat()), [...nav, 2], "float64");
}
