/**
 * Warnings about lattices fitted to every frame: no more disks fit than by chance.
 *
 * Without a disk in its search window, a peak is found at a random place in it. If the window is smaller than the cell,
 * the probability that the peak fits (see `chance.ts`) is larger by the ratio of the areas of cell and window.
 *
 * @module
 */

import { asNumbers } from "../../../space/numbers.ts";
import { checkOptionNames } from "../../../options.ts";
import type { UdfResult } from "../../interface/buffer_types.ts";
import { cellTolerance, chanceAt, MOST_BY_CHANCE, percent } from "./match.ts";
import { sparseSteps } from "./correlate_sparse.ts";
import { cross, peaksAt } from "./lattice.ts";
import type { Vector } from "./options/lattice.ts";
import { type RefineOptions, STRAIN_OPTIONS } from "./options/strain.ts";
import { halfSize } from "./patterns.ts";

/**
 * Warnings about the results of {@link refineLattice} or {@link strainMap}: that no frame fits the lattice, or that no
 * more disks fit than by chance. The options are those of the run.
 *
 * In the frames with a match, the disks beyond the three that always fit are counted. They are no better than chance if
 * there are fewer of them than the expected number plus three standard deviations, or plus a quarter of the remaining
 * disks. If more than half of them are expected to fit by chance, as with the few steps of `sparse`, no warning can be
 * given.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import * as blobs from "@tilewise/tilewise/unstable/blobs";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(new Uint8Array(2 * 48 * 48), { format: "raw", dtype: "uint8", nav: [2], sig: [48, 48] });
 * const lattice = { zero: [24, 24], a: [16, 0], b: [0, 16] } as const;
 * const indices = [[0, 0], [0, 1], [1, 0], [1, 1]] as const;
 * const options = { ...lattice, indices, pattern: blobs.circularPattern({ radius: 3 }) };
 * const { fit } = await run(await plan(scan, { fit: blobs.refineLattice(options) }));
 * assertEquals(blobs.fitWarnings(fit, options), ["none of the 2 frames fits the lattice"]);
 * ```
 * @category Blob finding
 */
export function fitWarnings(result: UdfResult, options: RefineOptions): string[] {
  checkOptionNames("fitWarnings()", options, STRAIN_OPTIONS);
  if (options.match === "affine") return [];
  const chances = windowChances(options);
  const counts = countFits(result, options, chances);
  const { frames, matched, disks, fitting, expected, variance } = counts;
  if (frames === 0) return [];
  if (matched === 0) return [`none of the ${frames} frames fits the lattice`];
  if (disks === 0 || expected > MOST_BY_CHANCE * disks) return [];
  if (fitting > expected + Math.max(3 * Math.sqrt(variance), (disks - expected) / 4)) return [];
  return [
    `${percent(fitting / disks)} of the disks fit the lattice, which is no better than chance: ` +
    `${
      percent(expected / disks)
    } would fit if they were anywhere; there may be no such lattice in the frames`,
  ];
}

/** The probability, per disk, that a position found in its window fits by chance. */
function windowChances(options: RefineOptions): number[] {
  const { method, pattern, a, b, indices, tolerance = cellTolerance(options) } = options;
  const side = method === "sparse" ? 2 * sparseSteps(options) + 1 : 2 * halfSize(pattern);
  const cellsPerWindow = Math.max(1, Math.abs(cross(a, b)) / side ** 2);
  const chance = (peak: Vector) => Math.min(1, cellsPerWindow * chanceAt(options, peak, tolerance));
  return peaksAt(options, indices).map(chance);
}

/** Counts of disks beyond the first three, in all frames that have a match. */
interface FitCounts {
  /** Frames in which peaks were found. */
  readonly frames: number;
  /** Frames with a match. */
  readonly matched: number;
  /** Disks in them whose correlation is high enough. */
  readonly disks: number;
  /** Disks that fit. */
  readonly fitting: number;
  /** Disks that are expected to fit by chance. */
  readonly expected: number;
  /** The variance of that number. */
  readonly variance: number;
}

function countFits(
  { zero, peak_elevations, selector }: UdfResult,
  { minWeight = 0.1 }: RefineOptions,
  chances: readonly number[],
): FitCounts {
  const n = chances.length;
  const heights = asNumbers(peak_elevations!.data);
  const total = { frames: 0, matched: 0, disks: 0, fitting: 0, expected: 0, variance: 0 };
  for (let frame = 0; frame < selector!.data.length / n; frame++) {
    const elevations = chances.map((_, p) => heights[frame * n + p]!);
    if (!elevations.some(Number.isFinite)) continue; // not processed, or the correlation is unknown
    total.frames++;
    if (Number.isNaN(zero!.data[2 * frame])) continue;
    const used = [...chances.keys()].filter((p) => elevations[p]! >= minWeight);
    const more = used.length - 3, chance = mean(used.map((p) => chances[p]!));
    total.matched++;
    total.disks += more;
    total.fitting += used.filter((p) => selector!.data[frame * n + p]).length - 3;
    total.expected += more * chance;
    total.variance += more * chance * (1 - chance);
  }
  return total;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
