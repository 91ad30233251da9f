/**
 * The options of calls that correlate frames with a pattern, and the rules for their values.
 *
 * @module
 */

import type { OptionNames } from "../../../../options.ts";
import {
  atLeast0,
  either,
  finite,
  inner,
  must,
  needed,
  oneOf,
  truth,
  whole,
} from "../../../../options/rules.ts";
import type { AxisFacts, ValueFacts } from "../../../../space/axes.ts";
import type { NDArray } from "../../../../space/ndarray.ts";
import { arrayValue } from "../../../../space/rules.ts";
import type { AuxSpec } from "../../../interface/aux_data.ts";
import { points, type PointsInput, type Vector, vector } from "./lattice.ts";
import { type MatchPattern, pattern } from "./patterns.ts";

/**
 * Shifts, y before x: one for all frames, an array (…scan, 2), or auxiliary data with two numbers per entry.
 * @category Blob finding
 */
export type PeakShifts = Vector | NDArray | AuxSpec;

/**
 * Parameters of the correlation UDFs.
 * @category Blob finding
 */
export interface CorrelateOptions {
  /** The pattern of a disk. */
  readonly pattern: MatchPattern;
  /** Where disks are expected, as (y, x); rounded to pixels, halves to the even pixel. */
  readonly peaks: PointsInput;
  /**
   * - `fast` (default): a cut-out around every peak is scaled logarithmically and correlated separately.
   * - `full`: the whole frame is scaled and correlated; for many peaks that are close to each other.
   * - `sparse`: the whole frame is scaled logarithmically, and correlated only at the pixels `steps` around every peak.
   */
  readonly method?: "fast" | "full" | "sparse";
  /**
   * Of `sparse`: rows and columns searched on each side of a peak. Whole, at least 1. Default: the search radius
   * minus the radius of the pattern, at least 2: with 1, peaks in the middle have the elevation 0.
   */
  readonly steps?: number;
  /**
   * Computes positions to `1 / upsample` of a pixel, by trigonometric interpolation instead of a centre of mass; `true`
   * is 20. Not for `sparse`.
   */
  readonly upsample?: boolean | number;
  /**
   * Shifts of all peaks, in pixels, y before x: (y, x) for all frames, or an array (…scan, 2) with one shift per frame;
   * rounded to pixels. A frame whose shift is NaN has no peaks.
   */
  readonly shifts?: PeakShifts;
}

/**
 * Parameters of {@link featureVector}.
 * @category Blob finding
 */
export interface FeatureOptions {
  /** The weights of the pixels around each peak. */
  readonly pattern: MatchPattern;
  /** Positions of the peaks, the same in all frames; rounded to pixels, halves to the even pixel. */
  readonly peaks: PointsInput;
}

/**
 * Parameters of {@link integratePeaks}.
 * @category Blob finding
 */
export interface IntegrateOptions {
  /** The weights of the pixels around each position. */
  readonly pattern: MatchPattern;
  /** Positions in every frame, shape (…scan, peaks, 2), y before x, such as `refineds`; rounded to pixels, halves to the even pixel. */
  readonly positions: NDArray | AuxSpec;
}

/**
 * Parameters of {@link findPeaks}.
 * @category Blob finding
 */
export interface FindPeaksOptions {
  /** The pattern of a disk. */
  readonly pattern: MatchPattern;
  /** Largest number of peaks. Whole, at least 1. Default: all. */
  readonly count?: number;
  /** Smallest distance between two peaks, in pixels. At least 0. Default: half the search radius of the pattern. */
  readonly minDistance?: number;
  /**
   * Smallest height of a peak above the mean, as a share of the height of the highest correlation above the mean.
   * Finite. Default 0.1.
   */
  readonly threshold?: number;
}

const perFrame = either(
  "an array (…scan, …, 2), or what auxData() gives",
  arrayValue,
  inner<AuxSpec>({
    kind: true,
    data: true,
    dtype: true,
    extraShape: true,
  }),
);

const shifts = either(
  "a pair of numbers [y, x], an array (…scan, 2), or what auxData() gives",
  vector,
  perFrame,
);

/** Of the correlation. */
export const CORRELATE_OPTIONS: OptionNames<CorrelateOptions> = {
  pattern: needed(pattern),
  peaks: needed(points),
  method: oneOf("fast", "full", "sparse"),
  steps: whole(1),
  upsample: either(
    "true, false or a number from 1",
    truth,
    must<number>("", (n) => Number.isFinite(n) && n as number >= 1),
  ),
  shifts,
};

/** Of feature vectors. */
// deno-fmt-ignore: written by `deno task build`
export const FEATURE_OPTIONS: OptionNames<FeatureOptions> = {
  pattern: needed(pattern), peaks: needed(points),
};

/** Of the integration of peaks. */
// deno-fmt-ignore: written by `deno task build`
export const INTEGRATE_OPTIONS: OptionNames<IntegrateOptions> = {
  pattern: needed(pattern), positions: needed(perFrame),
};

/** Of the search for peaks. */
// deno-fmt-ignore: written by `deno task build`
export const PEAKS_OPTIONS: OptionNames<FindPeaksOptions> = {
  pattern: needed(pattern), count: whole(1), minDistance: atLeast0, threshold: finite,
};

// What results about disks say of themselves.

/** Positions and vectors in a frame. */
export const PLACES: ValueFacts = { kind: "vector", unit: "px" };

/** Their last dimension. */
export const COMPONENT: AxisFacts = { name: "component", names: ["y", "x"] };

/** The dimension that counts disks. */
export const DISK: AxisFacts = { name: "disk" };
