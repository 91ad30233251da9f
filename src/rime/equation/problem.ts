/**
 * What the whole measurement equation is given, and what it gives.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { inner, list, must, needed, oneOf, whole } from "../../options/rules.ts";
import { float64Array } from "../geometry/check.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { BRIGHTNESS, type Brightness } from "../../observations/meaning/correlations.ts";
import type { Correlation } from "../predict/correlations.ts";
import type { PredictInput } from "../predict/problem.ts";
import { SMEARING, type Smearing } from "../predict/smearing.ts";
import type { Feed, JonesTerm } from "../terms/term.ts";

/**
 * What is simulated: sources, antennas and channels, and what happens to signals on their way. Complex numbers are pairs;
 * `nrow` stands for (ntime, nbl) where rows are a dense grid, and `ncorr` for the number of correlations, usually 4. Terms, gains
 * and Jones matrices belong to antennas; without them, rows may have positions of their own.
 * @category Measurement equation
 */
export interface SimulateInput extends PredictInput {
  /** Jones terms between the sources and the antennas, E before L. */
  readonly terms?: readonly JonesTerm[];
  /** The inputs of these terms by name, and other arrays that they share. */
  readonly termInputs?: Readonly<Record<string, TypedArray>>;
  /** Sizes of the dimensions that only these inputs have, such as `beam_lw`. */
  readonly termDimensions?: Readonly<Record<string, number>>;
  /** Gains of antennas: (ntime, na, nchan, ncorr). */
  readonly gains?: Float64Array;
  /** Visibilities that are added: (nrow, nchan, ncorr). */
  readonly base?: Float64Array;
  /** Not 0 for visibilities that become 0 and do not count: (nrow, nchan, ncorr). */
  readonly flags?: Uint8Array;
  /** Weights of squares in χ²: (nrow, nchan, ncorr). Default 1. */
  readonly weights?: Float64Array;
  /** Observed visibilities (nrow, nchan, ncorr), for residuals and χ². */
  readonly observed?: Float64Array;
}

/**
 * How visibilities are simulated, and where.
 * @category Measurement equation
 */
export interface SimulateOptions extends RunSettings<TileProgress> {
  /** The feeds: correlations are XX, XY, YX, YY or RR, RL, LR, LL. Default `linear`. */
  readonly feed?: Feed;
  /**
   * Other correlations, such as one or two of them. Terms are matrices of both feeds: they need
   * all four of one kind. Gains of one or two correlations are factors. Default: all four of `feed`.
   */
  readonly correlations?: readonly Correlation[];
  /** The sign of the phase. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** How Stokes parameters become correlations of feeds. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** `f64`, or `mixed`: delays and positions in double precision, the rest in single. Default `f64`. */
  readonly precision?: "f64" | "mixed";
  /** Whether base visibilities are added `after` the gains, which then do not change them, or `before`. Default `after`. */
  readonly base?: "after" | "before";
  /** What bandwidth and integration take away. Default: nothing. */
  readonly smearing?: Smearing;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/**
 * What {@link simulate} gives.
 * @category Measurement equation
 */
export interface Simulation {
  /** Visibilities (nrow, nchan, ncorr) as pairs; with workers in a `SharedArrayBuffer`, into which workers put them. */
  readonly model: Float64Array;
  /** Observed less model visibilities, 0 where flagged, if there are observed ones. */
  readonly residual?: Float64Array;
  /** χ², if there are observed visibilities: the sum over tiles in their order. */
  readonly chiSquared?: number;
  /** χ² of each tile. */
  readonly chiSquaredTiles?: readonly number[];
}

/** The names of the options. */
// deno-fmt-ignore: written by `deno task build`
export const SIMULATE_OPTIONS: OptionNames<SimulateOptions> = {
  ...RUN_SETTINGS, feed: oneOf("linear", "circular"), correlations: list,
  convention: oneOf("fourier", "casa"), brightness: inner(BRIGHTNESS), precision: oneOf("f64", "mixed"),
  base: oneOf("after", "before"), smearing: inner(SMEARING), context: contextRule,
};

/** The names of the inputs. */
// deno-fmt-ignore: written by `deno task build`
export const SIMULATE_INPUT: OptionNames<SimulateInput> = {
  uvw: needed(list), antenna1: list, antenna2: list, timeIndex: list, antennas: whole(1),
  frequency: needed(list), sky: true, jones: true, terms: list, termInputs: true, termDimensions: true,
  gains: float64Array, base: float64Array,
  flags: must("a Uint8Array", (value) => value instanceof Uint8Array), weights: float64Array,
  observed: float64Array,
};
