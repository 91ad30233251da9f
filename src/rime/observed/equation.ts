/**
 * The measurement equation of an observation, as a cube with its kernel and sources.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import type { CubeKernel } from "../../hypercube/run/run_cube.ts";
import { FRAMES } from "../../observations/meaning/frames.ts";
import type { Observation } from "../../observations/observation.ts";
import { fromObservation } from "../../observations/provider.ts";
import { feedAnglesOf, feedOf } from "../../observations/inputs.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { each, list, must, oneOf, truth } from "../../options/rules.ts";
import type { Sky } from "../../skies/component.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { equationKernel } from "../equation/kernel.ts";
import { equationArrays, type EquationSettings, feedWith } from "../equation/settings.ts";
import { CIRCULAR, type Correlation, LINEAR } from "../predict/correlations.ts";
import { cubeOver, inMemory } from "../predict/in_memory.ts";
import { type PredictSettings, settingsOf } from "../predict/options.ts";
import { evenChannels, isPolarised } from "../predict/predict.ts";
import type { SkyModel } from "../predict/problem.ts";
import { shapesOf, skyArrays, skySizes } from "../predict/sky_arrays.ts";
import type { JonesTerm } from "../terms/term.ts";
import { rotatedBy } from "../terms/feed.ts";
import { prepareTerms } from "../terms/terms.ts";
import { parallacticAnglesOf } from "./angles.ts";
import { chosen } from "./correlations.ts";
import { before, skyModel } from "./sky_model.ts";
import { positionsOf } from "./positions.ts";

/**
 * What {@link observedEquation} computes.
 * @category Measurement equation
 */
export interface EquationOptions {
  /** `f64`, or `mixed`: delays in double precision, the rest in single, which takes half the time. Default `f64`. */
  readonly precision?: "f64" | "mixed";
  /**
   * Whose positions are used: those of antennas, which is faster, or the baseline of each row. Default: those of antennas if
   * the rows are in the order of their times and their baselines have common positions, to 0.1 mm.
   */
  readonly uvw?: "antenna" | "baseline";
  /** Whether the visibilities of the observation are compared: outputs `residual_vis` and `chi_squared`. Default false. */
  readonly compare?: boolean;
  /**
   * Whether sources away from the phase centre are smeared by the widths of the channels and the intervals of the rows. Default
   * false.
   */
  readonly smearing?: boolean;
  /**
   * What becomes of components more than 90° from the phase centre, which have no direction cosines: `refuse`, or `skip`, for lists
   * of the whole sky. `skip` leaves out those below the horizon at all times as well, which count otherwise. Default `refuse`.
   */
  readonly behind?: "refuse" | "skip";
  /** Jones terms between the sources and the antennas, E before L; they need all four correlations. Default: none. */
  readonly terms?: readonly JonesTerm[];
  /**
   * The inputs of these terms by name, whole. Default of `feed_angles`: the receptors of the antennas, by their types; of
   * `parallactic_angles`: those of the phase centre, as antennas on alt-azimuth mounts see it.
   */
  readonly termInputs?: Readonly<Record<string, TypedArray>>;
  /** Sizes of the dimensions that only these inputs have, such as `beam_lw`. */
  readonly termDimensions?: Readonly<Record<string, number>>;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const EQUATION_OPTIONS: OptionNames<EquationOptions> = {
  precision: oneOf("f64", "mixed"), uvw: oneOf("antenna", "baseline"), compare: truth, smearing: truth,
  behind: oneOf("refuse", "skip"), terms: list,
  termInputs: each("an object of arrays by the names of inputs", must("a typed array", ArrayBuffer.isView)),
  termDimensions: each("an object of sizes by the names of dimensions", must("a number", Number.isFinite)),
};

/**
 * What `run()` needs to compute the visibilities of an observation.
 * @category Measurement equation
 */
export interface ObservedEquation {
  /** The cube, with the sizes of the observation. Dimensions to tile: `nrow` and `nchan`. */
  readonly cube: Hypercube;
  /** The kernel. */
  readonly kernel: CubeKernel;
  /** The sources: what was observed, the sky, and inputs of terms. Others may be added, which replace them. */
  readonly sources: readonly Provider[];
  /** The correlations of the outputs in their order, which is one that can be computed. */
  readonly correlations: readonly Correlation[];
  /** Whose positions are used. */
  readonly uvw: "antenna" | "baseline";
}

/**
 * The measurement equation of an observation: a cube over rows and channels with the kernel and the sources that `run()`
 * needs, whose outputs are `model_vis` and, with `compare`, `residual_vis` (observed less model, 0 where flagged) and
 * `chi_squared` (of each tile; merge it by `"sum"`). For results that are too large for memory, or other sinks; otherwise
 * `predict()` and `compare()` are shorter.
 *
 * Errors: `invalid` for a sky that the observation cannot see, and for correlations that cannot be predicted.
 *
 * @example Residuals as a Zarr store, tile by tile
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { toZarr } from "@tilewise/tilewise/hypercube";
 * import { openObservation, readSky } from "@tilewise/tilewise/observations";
 * import { observedEquation } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * await using observation = await openObservation({ // or "3c286.ms"
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0, 0],
 *   time: [5e9],
 *   antenna1: [0],
 *   antenna2: [1],
 *   uvw: [3, 4, 0],
 *   visibility: Float32Array.of(1, 0, 1, 0),
 * });
 * const sky = await readSky(new TextEncoder().encode("Name,l,m,I\ncentre,0,0,1\n"));
 * const { cube, kernel, sources } = await observedEquation(sky, observation, { compare: true });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const { tiles } = await run(cube, {
 *   kernel,
 *   sources,
 *   sinks: [toZarr(`${folder}/residuals.zarr`, { arrays: ["residual_vis"] })],
 *   plan: { context, tile: ["nrow", "nchan"] },
 * });
 * assertEquals(tiles, 1);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Measurement equation
 */
export async function observedEquation(
  sky: Sky | SkyModel,
  observation: Observation,
  options: EquationOptions = {},
): Promise<ObservedEquation> {
  checkOptionNames("observedEquation()", options, EQUATION_OPTIONS);
  return await equationOf("observedEquation()", sky, observation, options);
}

/** See {@link observedEquation}; errors name `call`. */
export async function equationOf(
  call: string,
  given: Sky | SkyModel,
  observation: Observation,
  options: EquationOptions,
): Promise<ObservedEquation> {
  const { frequencies, field, visibility } = observation;
  if (options.compare && !visibility) {
    const text = `${call}: ${observation.source} has no visibilities to compare with`;
    throw new TilewiseError("invalid", text, { file: observation.source, option: "compare" });
  }
  const sky = "points" in given ? skyModel(seen(given, observation, options), field, frequencies) : given;
  const positions = options.uvw === "baseline" ? undefined : await positionsOf(observation);
  if (!positions && (options.uvw === "antenna" || options.terms?.length)) {
    throw noPositions(call, observation);
  }
  const terms = termsFor(call, observation, options);
  const settings = await settingsFor(
    call,
    sky,
    observation,
    { ...options, terms },
    positions ? "antenna" : "baseline",
  );
  const { correlations } = settings.predict;
  const cube = cubeOf(call, settings, sky, observation, options);
  const isTurned = cube.arrays.has("parallactic_angles") && !options.termInputs?.["parallactic_angles"];
  const inputs = {
    ...skyArrays(sky),
    ...defined({ uvw: positions }),
    ...(isTurned ? { parallactic_angles: parallacticAnglesOf(observation) } : {}),
    ...options.termInputs,
  };
  return {
    cube,
    kernel: equationKernel(settings),
    sources: [
      fromObservation(observation, options.compare ? { correlations } : {}),
      inMemory(call, cube, inputs),
    ],
    correlations,
    uvw: settings.predict.uvw,
  };
}

/** The components that are predicted. */
function seen(sky: Sky, observation: Observation, { behind }: EquationOptions): Sky {
  return behind === "skip" ? before(sky, observation).sky : sky;
}

/** The terms, for feeds as the observation has them. Errors: `invalid` for feeds of another kind. */
function termsFor(
  call: string,
  { antennas, source }: Observation,
  { terms = [], termInputs = {} }: EquationOptions,
): readonly JonesTerm[] {
  const kind = feedOf(antennas);
  const other = terms.find(({ feed }) => feed && kind && feed !== kind);
  if (other) {
    const text =
      `${call}: the feeds of ${source} are ${kind}, the term ${other.name} is for ${other.feed} ones`;
    throw new TilewiseError("invalid", text, { option: "terms", found: other.feed!, expected: kind! });
  }
  const isSkewed = antennas.some((antenna) => feedAnglesOf(antenna).skew !== 0);
  return isSkewed && !("feed_angles" in termInputs)
    ? terms.map((term) => rotatedBy(term, { skewed: true }))
    : terms;
}

async function settingsFor(
  call: string,
  sky: SkyModel,
  observation: Observation,
  { precision = "f64", terms = [], compare = false, smearing = false }: EquationOptions,
  uvw: PredictSettings["uvw"],
): Promise<EquationSettings> {
  const { lm, stokes, spectrum } = sky;
  const { frequencies, correlations, convention, brightness = {}, field: { phaseCentre: [, declination] } } =
    observation;
  if (smearing && !isEquatorial(observation)) {
    const text =
      `${call}: baselines of ${observation.source} are in the frame ${observation.field.frame}; smearing needs ` +
      "right ascension and declination";
    throw new TilewiseError("unsupported", text, {
      option: "smearing",
      found: observation.field.frame ?? "",
    });
  }
  const channels = evenChannels(frequencies);
  const predict = settingsOf(call, {
    convention,
    brightness,
    precision,
    correlations: chosen(correlations, terms.length > 0).predicted,
    polarised: isPolarised(stokes),
    uvw,
    rows: "ragged",
    stokesAxes: stokes.length > 2 * lm.length ? ["nchan"] : [],
    spectrum: spectrum?.kind ?? "none",
    shapes: shapesOf(skySizes(call, sky)),
    ...defined({ channels }),
    ...(smearing ? { smearing: { interval: "row" as const, declination } } : {}),
  });
  if (terms.length > 0 && ![LINEAR, CIRCULAR].some((four) => four.join() === predict.correlations.join())) {
    const text = `${call}: terms are matrices of both feeds; they need correlations of feeds, found ${
      correlations.join(", ")
    }`;
    throw new TilewiseError("invalid", text, { option: "terms", found: correlations.join() });
  }
  const finish = { flags: compare, weights: compare, observed: compare };
  return { predict, terms: await prepareTerms(terms, feedWith(predict), brightness), finish };
}

/** Whether baselines lie along right ascension and declination, as the Earth turns. */
function isEquatorial({ field: { frame = "ICRS" } }: Observation): boolean {
  return FRAMES.get(frame)?.fits[0] === "RA";
}

function cubeOf(
  call: string,
  settings: EquationSettings,
  sky: SkyModel,
  { rows, frequencies, times, antennas }: Observation,
  { termDimensions }: EquationOptions,
): Hypercube {
  const sizes: Readonly<Record<string, number>> = {
    ...termDimensions,
    ...skySizes(call, sky),
    nrow: rows,
    nchan: frequencies.length,
    ntime: times.length,
    na: antennas.length,
    ncorr: settings.predict.correlations.length,
  };
  return cubeOver(equationArrays(settings), sizes);
}

function noPositions(call: string, { source }: Observation): TilewiseError {
  const text =
    `${call}: the rows of ${source} are not in the order of their times, or their baselines have no common ` +
    'positions of antennas, which terms and uvw: "antenna" need';
  return new TilewiseError("unsupported", text, { file: source, option: "uvw" });
}
