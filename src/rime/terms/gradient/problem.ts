/**
 * What a gradient of χ² needs, and the arrays of a cube for it.
 *
 * @module
 */

import type { ArraySchema } from "../../../hypercube/cube/cube.ts";
import type { Brightness } from "../../../observations/meaning/correlations.ts";
import type { PhaseConvention } from "../../geometry/constants.ts";
import type { PredictRows, SkyModel } from "../../predict/problem.ts";
import type { Feed, JonesTerm } from "../term.ts";
import { termArrays } from "../terms.ts";

/**
 * Sources: points first, then Gaussians, then exponential disks.
 * @category Measurement equation
 */
export type GradientSky = Omit<SkyModel, "shapelets">;

/**
 * A sky, and how far visibilities are from it.
 * @category Measurement equation
 */
export interface GradientInput extends PredictRows {
  /** The sources. Stokes parameters are those of (nsrc, 4) or (nsrc, nchan, 4). */
  readonly sky: GradientSky;
  /** Frequencies of the channels in Hz. */
  readonly frequency: Float64Array;
  /** Observed less model visibilities, 0 where flagged: (nrow, nchan, 4) as pairs. */
  readonly residual: Float64Array;
  /** Weights of squares in χ²: (nrow, nchan, 4). Default 1. */
  readonly weight?: Float64Array;
  /** Gains of antennas: (ntime, na, nchan, 4) as pairs. */
  readonly gains?: Float64Array;
  /** Terms between the sources and the antennas. */
  readonly terms?: readonly JonesTerm[];
  /** The inputs of these terms by name. */
  readonly termInputs?: Readonly<Record<string, Float64Array>>;
  /** Sizes of the dimensions that only these inputs have, such as `beam_lw`. */
  readonly termDimensions?: Readonly<Record<string, number>>;
}

/**
 * Derivatives of χ² by the parameters of sources, in arrays of the same shapes as those of the sky.
 * @category Measurement equation
 */
export interface SkyGradient {
  /** By l and m: (nsrc, 2). */
  readonly lm: Float64Array;
  /** By Stokes parameters: of the shape of `stokes`. */
  readonly stokes: Float64Array;
  /** By the coefficients of spectra: (nsrc, nterm). */
  readonly spectralTerms: Float64Array;
  /** By the shapes of Gaussians: (3, ngsrc). */
  readonly gaussianShape: Float64Array;
  /** By the shapes of disks: (3, nssrc). */
  readonly sersicShape: Float64Array;
}

/** What all tiles share. */
export interface GradientSettings {
  /** The feeds, which give correlations their meaning. */
  readonly feed: Feed;
  /** The sign of the phase. */
  readonly convention: PhaseConvention;
  /** How Stokes parameters become correlations. */
  readonly brightness: Brightness;
  /** Whether Stokes parameters differ from channel to channel. */
  readonly stokesByChannel: boolean;
  /** The kind of spectra, if there are any. */
  readonly spectrum: "none" | "log" | "linear";
  /** Whether there are weights. */
  readonly weights: boolean;
  /** Whether there are gains. */
  readonly gains: boolean;
  /** The terms. */
  readonly terms: readonly JonesTerm[];
}

/** The arrays of results, by the parameters that they belong to. */
export const RESULTS = {
  lm: "lm_gradient",
  stokes: "stokes_gradient",
  spectralTerms: "spectral_gradient",
  gaussianShape: "gaussian_gradient",
  sersicShape: "sersic_gradient",
} as const satisfies { readonly [K in keyof SkyGradient]: string };

/** Whether rows say which antennas and which time they have. */
function hasAntennas({ gains, terms }: GradientSettings): boolean {
  return gains || terms.length > 0;
}

/** The arrays of a cube. */
export function gradientArrays(settings: GradientSettings): ArraySchema[] {
  const { stokesByChannel, spectrum, weights, gains, terms } = settings;
  const some = (wanted: boolean, ...arrays: readonly ArraySchema[]) => wanted ? arrays : [];
  const stokes = stokesByChannel ? ["nsrc", "nchan", 4] as const : ["nsrc", 4] as const;
  const own = [
    real("lm", ["nsrc", 2]),
    real("stokes", stokes),
    real("frequency", ["nchan"]),
    real("uvw", ["nrow", 3]),
    complex("residual_vis", ["nrow", "nchan", 4]),
    real("gaussian_shape", [3, "ngsrc"]),
    real("sersic_shape", [3, "nssrc"]),
    ...some(weights, real("weight", ["nrow", "nchan", 4])),
    ...some(
      spectrum !== "none",
      real("reference_frequency", ["nsrc"]),
      real("spectral_terms", ["nsrc", "nterm"]),
    ),
    ...some(gains, complex("direction_independent_effects", ["ntime", "na", "nchan", 4])),
    ...some(gains, complex("work_gains", ["ntime", "na", "nchan", 4], "temporary")),
    ...some(terms.length > 0, complex("work_jones", ["ntime", "na", "nchan", 4], "temporary")),
    ...(hasAntennas(settings) ? ["antenna1", "antenna2", "time_index"] : []).map((name): ArraySchema => {
      return { name, shape: ["nrow"], dtype: "int32", role: "input" };
    }),
    ...results(stokes),
    ...scratch(),
  ];
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...termArrays(terms, "f64").filter(({ name }) => !names.has(name))];
}

function results(stokes: ArraySchema["shape"]): ArraySchema[] {
  return [
    real(RESULTS.lm, ["nsrc", 2], "output"),
    real(RESULTS.stokes, stokes, "output"),
    real(RESULTS.spectralTerms, ["nsrc", "nterm"], "output"),
    real(RESULTS.gaussianShape, [3, "ngsrc"], "output"),
    real(RESULTS.sersicShape, [3, "nssrc"], "output"),
  ];
}

function scratch(): ArraySchema[] {
  return [
    complex("work_misfit", ["nrow", "nchan", 4], "temporary"),
    complex("work_phases", ["nrow", "nchan"], "temporary"),
    real("work_tapers", ["nrow", "nchan"], "temporary"),
    real("work_slopes", ["nrow", "nchan"], "temporary"),
    real("work_brightness", ["nchan", 4], "temporary"),
    real("work_sums", ["nchan", 10], "temporary"),
    real("work_matrices", [16], "temporary"),
  ];
}

function real(name: string, shape: ArraySchema["shape"], role: ArraySchema["role"] = "input"): ArraySchema {
  return { name, shape, dtype: "float64", role };
}

function complex(
  name: string,
  shape: ArraySchema["shape"],
  role: ArraySchema["role"] = "input",
): ArraySchema {
  return { name, shape, dtype: "complex128", role };
}
