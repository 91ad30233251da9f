/**
 * How images and visibilities are turned into each other.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { must, oneOf, truth } from "../../options/rules.ts";
import type { Context } from "../../runner/face.ts";
import { context } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { PhaseConvention } from "../geometry/constants.ts";

/**
 * How images and visibilities are turned into each other, and where.
 * @category Measurement equation
 */
export interface ImagingOptions extends RunSettings<TileProgress> {
  /**
   * Largest error, relative to the result: both as root mean squares over all pixels or visibilities. From 1e-13 to 0.1, with
   * `precision` `mixed` from 1e-6. Default 1e-5.
   */
  readonly epsilon?: number;
  /** Whether grids are kept and transformed in double (`f64`, the default) or in single precision (`mixed`). */
  readonly precision?: "f64" | "mixed";
  /** Whether w counts. Default true; false: the array counts as flat, and `w (n − 1)` as 0. */
  readonly wTerm?: boolean;
  /** The sign of the phase of visibilities, as in predictions. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/** Their rules. */
export const IMAGING_OPTIONS: OptionNames<ImagingOptions> = {
  ...RUN_SETTINGS,
  epsilon: must(
    "a number from 1e-13 to 0.1",
    (value) => typeof value === "number" && value >= 1e-13 && value <= 0.1,
  ),
  precision: oneOf("f64", "mixed"),
  wTerm: truth,
  convention: oneOf("fourier", "casa"),
  context,
};

/**
 * How a dirty image is made, and where.
 * @category Measurement equation
 */
export interface DirtyImageOptions extends ImagingOptions {
  /**
   * `natural`, the default: samples count as their weights say. `uniform`: the samples in one cell of the grid of u and v, which
   * has as many cells as the image has pixels, have the weight 1 together.
   */
  readonly weighting?: "natural" | "uniform";
  /** Whether the image is divided by the sum of the weights, which makes it Jy per beam. Default true. */
  readonly normalise?: boolean;
}

/** Their rules. */
export const DIRTY_IMAGE_OPTIONS: OptionNames<DirtyImageOptions> = {
  ...IMAGING_OPTIONS,
  weighting: oneOf("natural", "uniform"),
  normalise: truth,
};
