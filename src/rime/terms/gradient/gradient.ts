/**
 * The gradient of χ² by the parameters of sources.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Hypercube } from "../../../hypercube/cube/cube.ts";
import { planTiles, runCube } from "../../../hypercube/run/run_cube.ts";
import { BRIGHTNESS, type Brightness } from "../../../observations/meaning/correlations.ts";
import { checkOptionNames, defined, type OptionNames } from "../../../options.ts";
import { inner, oneOf } from "../../../options/rules.ts";
import { type Context, insideOf } from "../../../runner/context.ts";
import { context as contextRule } from "../../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../../runner/runner.ts";
import type { TileProgress } from "../../../runner/progress.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { PhaseConvention } from "../../geometry/constants.ts";
import { cubeOver, inMemory } from "../../predict/in_memory.ts";
import type { PredictInput } from "../../predict/problem.ts";
import { rowsOf, sizesOf, stokesAxesOf } from "../../predict/sizes.ts";
import { skyArrays, wrong } from "../../predict/sky_arrays.ts";
import type { Feed } from "../term.ts";
import { checkTravel, prepareTerms } from "../terms.ts";
import { gradientKernel } from "./kernel.ts";
import {
  gradientArrays,
  type GradientInput,
  type GradientSettings,
  RESULTS,
  type SkyGradient,
} from "./problem.ts";

/**
 * How a gradient is computed, and where.
 * @category Measurement equation
 */
export interface ChiSquaredOptions extends RunSettings<TileProgress> {
  /** The feeds: correlations are XX, XY, YX, YY or RR, RL, LR, LL. Default `linear`. */
  readonly feed?: Feed;
  /** The sign of the phase. Default `fourier`. */
  readonly convention?: PhaseConvention;
  /** How Stokes parameters become correlations of feeds. Default: as in Measurement Sets. */
  readonly brightness?: Brightness;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ChiSquaredOptions> = {
  ...RUN_SETTINGS, feed: oneOf("linear", "circular"), convention: oneOf("fourier", "casa"),
  brightness: inner(BRIGHTNESS), context: contextRule,
};

const CALL = "chiSquaredGradient()";

/**
 * The derivatives of `χ² = Σ weight |observed − model|²` by the parameters of all sources: l and m, Stokes parameters,
 * coefficients of spectra, shapes. The residuals are those of the model for which they are computed, 0 where flagged, such as
 * `residual_vis` of a prediction.
 *
 * Terms count as they are: that a source which moves is seen in another part of the beam adds nothing to its derivatives by l
 * and m. Memory does not grow with the number of rows. The same bits for any number of workers; sums over rows are cut where
 * tiles end, so that another budget may give other last digits.
 *
 * Errors: `invalid` for arrays that do not fit together and directions outside of `l² + m² ≤ 1`; `over-budget`; `aborted`.
 *
 * @example The flux of a source at the phase centre is 3 Jy, the model says 2 Jy
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { chiSquaredGradient } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const gradient = await chiSquaredGradient({
 *   sky: { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 0, 0, 0) },
 *   uvw: Float64Array.of(100, 0, 0),
 *   frequency: Float64Array.of(1e9),
 *   residual: Float64Array.of(1, 0, 0, 0, 0, 0, 1, 0), // XX, XY, YX, YY: observed less model
 * }, { context });
 * assertEquals([...gradient.stokes], [-4, 0, 0, 0]); // χ² = 2 (3 - I)²
 * ```
 * @category Measurement equation
 */
export async function chiSquaredGradient(
  input: GradientInput,
  options: ChiSquaredOptions = {},
): Promise<SkyGradient> {
  checkOptionNames(CALL, options, OPTIONS);
  const { feed = "linear", convention = "fourier", brightness = {}, context } = options;
  checkTravel(CALL, input.terms ?? [], (context ?? insideOf(undefined)).workers);
  const { stokesAxes: { length: axes }, ...sizes } = checkedSizes(input);
  const settings: GradientSettings = {
    feed,
    convention,
    brightness,
    stokesByChannel: axes > 0,
    spectrum: input.sky.spectrum?.kind ?? "none",
    weights: input.weight !== undefined,
    gains: input.gains !== undefined,
    terms: await prepareTerms(input.terms ?? [], feed, brightness),
  };
  const cube = cubeOver(gradientArrays(settings), { ...input.termDimensions, ...sizes });
  const plan = planTiles(cube, { ...defined({ context }), tile: ["nrow"] });
  const found = emptyLike(cube);
  const add =
    (name: keyof SkyGradient) => ({ data: { data } }: { readonly data: { readonly data: TypedArray } }) => {
      found[name].forEach((value, i) => found[name][i] = value + Number(data[i]));
    };
  await runCube(CALL, plan, {
    ...runSettings(options),
    kernel: gradientKernel(settings),
    sources: [inMemory(CALL, cube, arraysOf(input))],
    sinks: Object.fromEntries(
      Object.entries(RESULTS).map(([name, array]) => [array, add(name as keyof SkyGradient)]),
    ),
  });
  return found;
}

/** Zeros for all results. */
function emptyLike(cube: Hypercube): SkyGradient {
  const zeros = (name: string) => new Float64Array(cube.arrayShape(name).reduce((a, b) => a * b, 1));
  return {
    lm: zeros(RESULTS.lm),
    stokes: zeros(RESULTS.stokes),
    spectralTerms: zeros(RESULTS.spectralTerms),
    gaussianShape: zeros(RESULTS.gaussianShape),
    sersicShape: zeros(RESULTS.sersicShape),
  };
}

/** The sizes, and the axes that Stokes parameters have in addition, of arrays that fit together. */
function checkedSizes({ residual, weight, gains, terms = [], ...input }: GradientInput) {
  const { sky, uvw, antenna1, antenna2, antennas, timeIndex, frequency } = input;
  const rows = defined({ antenna1, antenna2, antennas, timeIndex: antenna1 && timeIndex });
  const problem: PredictInput = { sky, uvw, frequency, ...rows };
  const sizes = sizesOf(CALL, problem, 4), { nrow, nchan, ntime, na, nsrc } = sizes;
  const stokesAxes = stokesAxesOf(CALL, problem, sizes);
  if (stokesAxes.length > 1) mustHave("sky.stokes", sky.stokes.length, 4 * nsrc * nchan);
  mustHave("residual", residual.length, 8 * nrow * nchan);
  if (weight) mustHave("weight", weight.length, 4 * nrow * nchan);
  if ((gains || terms.length > 0) && !antenna1) {
    const text = `${CALL}: gains and terms need antenna1 and antenna2`;
    throw new TilewiseError("invalid", text, { option: "antenna1" });
  }
  if (gains) mustHave("gains", gains.length, 8 * ntime * na * nchan);
  return { ...sizes, stokesAxes };
}

function mustHave(option: string, found: number, expected: number): void {
  if (found !== expected) throw wrong(CALL, option, `${found} numbers`, `${expected}`);
}

/** The arrays of the problem by the names of inputs. */
function arraysOf(input: GradientInput): Record<string, TypedArray> {
  const { sky, frequency, residual, weight, gains, termInputs } = input;
  const { times, ...rows } = rowsOf(input), none = new Float64Array(0);
  return {
    ...termInputs,
    gaussian_shape: none,
    sersic_shape: none,
    ...skyArrays(sky),
    ...rows,
    frequency,
    time_index: times,
    residual_vis: residual,
    ...defined({ weight, direction_independent_effects: gains }),
  };
}
