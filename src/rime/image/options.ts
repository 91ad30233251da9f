/**
 * How images and visibilities are turned into each other, and what the plans of both have in common.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { must, oneOf, truth } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { checkRunOptions, context } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import type { Layout } from "./layout.ts";
import type { CheckedRows } from "./rows.ts";
import type { ImagingWork } from "./run.ts";
import { type ImageWeighting, weighting } from "./weighting.ts";
import { type Window, windowFor } from "./window.ts";
import { showAccount } from "../../memory/account.ts";
import { type AnyPlan, type FactsOf, notCut } from "../../runner/plan.ts";

/**
 * How images and visibilities are turned into each other, and where.
 * @category Measurement equation
 */
export interface ImagingOptions extends RunSettings<TileProgress> {
  /**
   * Largest error, relative to the result: both as root mean squares over all pixels or visibilities. From 1e-12 to 0.1, with
   * `precision` `mixed` from 1e-6. Default 1e-5.
   */
  readonly epsilon?: number;
  /** The precision in which grids are kept and transformed: `f64`, which is double, or `mixed`, single. Default `f64`. */
  readonly precision?: "f64" | "mixed";
  /** Whether w counts. Default true; false: the array counts as flat, and `w (n − 1)` as 0. */
  readonly wTerm?: boolean;
  /** The sign of the phase of visibilities, as in predictions. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/** `epsilon` where nothing else is said. */
export const DEFAULT_EPSILON = 1e-5;

/** The least epsilon of grids in single precision. */
const LEAST_SINGLE = 1e-6;

/** Their rules. */
export const IMAGING_OPTIONS: OptionNames<ImagingOptions> = {
  ...RUN_SETTINGS,
  epsilon: must(
    "a number from 1e-12 to 0.1",
    (value) => typeof value === "number" && value >= 1e-12 && value <= 0.1,
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
  /** How samples count. Default `natural`: as their weights say. */
  readonly weighting?: ImageWeighting;
  /** Whether the image is divided by the sum of the weights, which makes it Jy per beam. Default true. */
  readonly normalize?: boolean;
}

/** Their rules. */
// deno-fmt-ignore: written by `deno task build`
export const DIRTY_IMAGE_OPTIONS: OptionNames<DirtyImageOptions> = {
  ...IMAGING_OPTIONS, weighting, normalize: truth,
};

/** The window that the options ask for, with errors along `axes` axes. */
export function windowOf(
  call: string,
  { epsilon = DEFAULT_EPSILON, precision }: ImagingOptions,
  axes: number,
): Window {
  if (precision !== "mixed" || epsilon >= LEAST_SINGLE) return windowFor(epsilon, axes);
  const text =
    `${call}: the option "epsilon" is ${epsilon}; with the precision mixed it must be at least ${LEAST_SINGLE}`;
  throw new TilewiseError("invalid", text, { option: "epsilon", found: epsilon, expected: LEAST_SINGLE });
}

/** A run with these options, whose result has so many bytes. */
export function workOf(
  call: string,
  rows: CheckedRows,
  layout: Layout,
  options: ImagingOptions,
  result: number,
): ImagingWork {
  const { precision, convention = "fourier", context } = options;
  return {
    call,
    rows,
    layout,
    result,
    dtype: precision === "mixed" ? "float32" : "float64",
    convention,
    context,
    settings: runSettings(options),
  };
}

/**
 * What is planned: of the rows only the baselines have been read, and the memory that it needs is known.
 * @category Measurement equation
 */
export interface ImagingPlan extends AnyPlan {
  /** How often the rows will be read: more than once where not all planes, or not all pixels, fit in memory together. */
  readonly passes: number;
  /** Planes of w. */
  readonly planes: number;
}

/** The plan with these facts; `what` says in words what `make` will make. */
export function imagingPlan<F extends FactsOf<ImagingPlan>, R>(
  facts: F,
  what: string,
  make: (settings: RunSettings<TileProgress>) => Promise<R>,
): F & Pick<ImagingPlan, "explain" | "parts"> & {
  run(options?: RunSettings<TileProgress>): Promise<R>;
} {
  const { memory, passes, planes, context } = facts;
  return {
    ...facts,
    parts: notCut,
    explain: () =>
      [
        what,
        `${planes} planes of w; the rows are read ${passes} times`,
        `memory: ${showAccount(memory, insideOf(context))}`,
      ].join("\n"),
    async run(settings = {}) {
      checkRunOptions("run()", facts, settings, RUN_SETTINGS);
      return await make(settings);
    },
  };
}
