/**
 * The whole measurement equation, from sources in memory to residuals in memory, in one call.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Hypercube, hypercube } from "../../hypercube/cube/cube.ts";
import { planTiles } from "../../hypercube/plan/budget.ts";
import type { Provider, Sink, Sinks, Source } from "../../hypercube/providers/provider.ts";
import { type SharedMemorySink, toSharedMemory } from "../../hypercube/providers/sinks/shared.ts";
import { solve } from "../../hypercube/run/solve.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { atLeast0, finite, inner, list, must, needed, oneOf } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { EARTH_ROTATION, type PhaseConvention } from "../geometry/constants.ts";
import { isDense, settingsOf } from "../predict/options.ts";
import { evenChannels } from "../predict/predict.ts";
import type { PredictInput, PredictSizes } from "../predict/problem.ts";
import { sizesOf, stokesAxesOf } from "../predict/sizes.ts";
import { shapesOf, skyArrays } from "../predict/sky_arrays.ts";
import type { Feed } from "../terms/feed.ts";
import type { FinishOptions } from "../terms/finish.ts";
import type { JonesTerm } from "../terms/term.ts";
import { checkTravel, prepareTerms } from "../terms/terms.ts";
import { sourceOf } from "./boxes.ts";
import { equationKernel } from "./kernel.ts";
import { correlationsOf, equationArrays, type EquationSettings, type Smearing } from "./settings.ts";

/**
 * What is simulated: sources, antennas and channels, and what happens to signals on their way. Complex numbers are pairs;
 * `nrow` stands for (ntime, nbl) where rows are a dense grid.
 * @category Measurement equation
 */
export interface SimulateInput extends PredictInput {
  /** Jones terms between the sources and the antennas, E before L. */
  readonly terms?: readonly JonesTerm[];
  /** The inputs of these terms by name, and other arrays that they share. */
  readonly termInputs?: Readonly<Record<string, TypedArray>>;
  /** Sizes of the dimensions that only these inputs have, such as `beam_lw`. */
  readonly termDimensions?: Readonly<Record<string, number>>;
  /** Gains of antennas: (ntime, na, nchan, 4). */
  readonly gains?: Float64Array;
  /** Visibilities that are added: (nrow, nchan, 4). */
  readonly base?: Float64Array;
  /** Not 0 for visibilities that become 0 and do not count: (nrow, nchan, 4). */
  readonly flags?: Uint8Array;
  /** Weights of squares in χ²: (nrow, nchan, 4). Default 1. */
  readonly weights?: Float64Array;
  /** Observed visibilities (nrow, nchan, 4), for residuals and χ². */
  readonly observed?: Float64Array;
}

/**
 * How visibilities are simulated, and where.
 * @category Measurement equation
 */
export interface SimulateOptions extends RunSettings<TileProgress> {
  /** The feeds: correlations are XX, XY, YX, YY or RR, RL, LR, LL. Default `linear`. */
  readonly feed?: Feed;
  /** The sign of the phase. Default `fourier`. */
  readonly convention?: PhaseConvention;
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
  /** Visibilities (nrow, nchan, 4) as pairs; with workers in a `SharedArrayBuffer`, into which workers put them. */
  readonly model: Float64Array;
  /** Observed less model visibilities, 0 where flagged, if there are observed ones. */
  readonly residual?: Float64Array;
  /** χ², if there are observed visibilities: the sum over tiles in their order. */
  readonly chiSquared?: number;
  /** χ² of each tile. */
  readonly chiSquaredTiles?: readonly number[];
}

const SMEARING: OptionNames<Smearing> = {
  interval: needed(atLeast0),
  declination: needed(finite),
  channelWidth: list,
};

const OPTIONS: OptionNames<SimulateOptions> = {
  ...RUN_SETTINGS,
  feed: oneOf("linear", "circular"),
  convention: oneOf("fourier", "casa"),
  precision: oneOf("f64", "mixed"),
  base: oneOf("after", "before"),
  smearing: inner(SMEARING),
  context: contextRule,
};

const floats = must("a Float64Array", (value) => value instanceof Float64Array);
const NAMES: OptionNames<SimulateInput> = {
  uvw: true,
  antenna1: true,
  antenna2: true,
  timeIndex: true,
  antennas: true,
  frequency: true,
  sky: true,
  jones: true,
  terms: list,
  termInputs: true,
  termDimensions: true,
  gains: floats,
  base: floats,
  flags: must("a Uint8Array", (value) => value instanceof Uint8Array),
  weights: floats,
  observed: floats,
};

/**
 * Simulates visibilities by the whole measurement equation, `V = base + G_p (Σ_s S · J_p B J_q^H) G_q^H` with
 * `J = E · L · … · K`, and compares them with observed ones: flags, residuals, χ². Without terms and smearing the sum is that
 * of {@link predict}.
 *
 * Memory does not grow with the number of sources. The same bits for any number of workers.
 *
 * Errors: `invalid` for arrays that do not fit together; `udf` for terms of users that fail; `over-budget`; `aborted`.
 *
 * @example A feed that is turned by 90° exchanges X and Y
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { feedRotation, simulate } from "@tilewise/tilewise/rime";
 * import { assertAlmostEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const { model } = await simulate({
 *   sky: { lm: Float64Array.of(0, 0), stokes: Float64Array.of(2, 1, 0, 0) }, // XX is 3 Jy, YY is 1 Jy
 *   uvw: Float64Array.of(0, 0, 0, 100, 0, 0),
 *   antenna1: Int32Array.of(0),
 *   antenna2: Int32Array.of(1),
 *   frequency: Float64Array.of(1e9),
 *   terms: [feedRotation("linear")],
 *   termInputs: { parallactic_angles: Float64Array.of(0, 0), feed_angles: new Float64Array(2).fill(Math.PI / 2) },
 * }, { context });
 * assertAlmostEquals(model[0] ?? NaN, 1, 1e-12);
 * assertAlmostEquals(model[6] ?? NaN, 3, 1e-12);
 * ```
 * @category Measurement equation
 */
export async function simulate(input: SimulateInput, options: SimulateOptions = {}): Promise<Simulation> {
  checkOptionNames("simulate()", options, OPTIONS);
  const { feed: _f, convention: _c, precision: _p, base: _b, smearing: _s, context, ...rest } = options;
  checkTravel("simulate()", input.terms ?? [], (context ?? insideOf(undefined)).workers);
  const { cube, settings, sizes } = await prepared(input, options);
  const tile = isDense(settings.predict) ? ["ntime", "nchan"] : ["nrow", "nchan"];
  const plan = planTiles(cube, { ...(context ? { context } : {}), tile });
  const results = new Results(settings.finish.observed === true);
  await solve(plan, {
    ...rest,
    kernel: equationKernel(settings),
    sources: sourcesOf(input, options, cube, sizes),
    sinks: results.sinks,
  });
  return results.simulation;
}

interface Prepared {
  readonly cube: Hypercube;
  readonly settings: EquationSettings;
  readonly sizes: PredictSizes;
}

async function prepared(input: SimulateInput, options: SimulateOptions): Promise<Prepared> {
  const { terms, termInputs: _i, termDimensions, gains, base, flags, weights, observed, ...problem } = input;
  checkOptionNames("simulate()", input, NAMES);
  const sizes = sizesOf("simulate()", problem);
  const { feed = "linear", convention = "fourier", precision = "f64", smearing } = options;
  if (!problem.antenna1) {
    const text =
      "simulate() needs positions of antennas: antenna1, antenna2, and uvw (ntime, na, 3); predict() takes " +
      "baselines";
    throw new TilewiseError("invalid", text, { option: "antenna1" });
  }
  const channels = evenChannels(problem.frequency);
  const predict = settingsOf("simulate()", {
    ...(channels ? { channels } : {}),
    convention,
    precision,
    correlations: correlationsOf(feed),
    rows: problem.timeIndex ? "ragged" : "dense",
    stokesAxes: stokesAxesOf("simulate()", problem, sizes),
    spectrum: problem.sky.spectrum?.kind ?? "none",
    shapes: shapesOf(sizes),
    jones: problem.jones !== undefined && !problem.jones.direction,
    directions: problem.jones?.direction !== undefined,
  });
  if (predict.jones && (terms?.length || smearing)) throw noDirections();
  const finish: FinishOptions = {
    gains: gains !== undefined,
    base: base ? options.base ?? "after" : "none",
    flags: flags !== undefined,
    weights: weights !== undefined,
    observed: observed !== undefined,
  };
  const settings: EquationSettings = {
    predict,
    terms: await prepareTerms(terms ?? []),
    finish,
    ...(smearing ? { smearing: turnsOf(smearing) } : {}),
  };
  const arrays = equationArrays(settings);
  const named = new Set(arrays.flatMap(({ shape }) => shape));
  const dimensions = Object.fromEntries(
    Object.entries({ ...termDimensions, ...sizes, ncorr: 4 }).filter(([name]) => named.has(name)),
  );
  return { cube: hypercube({ dimensions, arrays }), settings, sizes };
}

function noDirections(): TilewiseError {
  const text =
    "simulate(): with terms or smearing, jones needs the direction of each source; number the sources where each " +
    "has matrices of its own";
  return new TilewiseError("invalid", text, { option: "jones.direction" });
}

function turnsOf({ interval, declination }: Smearing): NonNullable<EquationSettings["smearing"]> {
  const angle = EARTH_ROTATION * interval;
  return { turnSin: angle * Math.sin(declination), turnCos: angle * Math.cos(declination) };
}

/** Sources of all inputs of the cube. */
function sourcesOf(
  input: SimulateInput,
  { smearing }: SimulateOptions,
  cube: Hypercube,
  { nchan }: PredictSizes,
): Record<string, Source> {
  const { sky, jones } = input;
  const all: Readonly<Record<string, TypedArray | undefined>> = {
    ...input.termInputs,
    jones: jones?.matrices,
    direction_jones: jones?.matrices,
    direction: jones?.direction,
    ...skyArrays(sky),
    frequency: input.frequency,
    uvw: input.uvw,
    antenna1: input.antenna1,
    antenna2: input.antenna2,
    time_index: input.timeIndex,
    channel_width: smearing?.channelWidth ?? new Float64Array(nchan),
    direction_independent_effects: input.gains,
    base_vis: input.base,
    flag: input.flags,
    weight: input.weights,
    observed_vis: input.observed,
  };
  const inputs = [...cube.arrays.values()].filter(({ role = "input" }) => role === "input");
  return Object.fromEntries(inputs.map(({ name }) => {
    const values = all[name];
    if (values) return [name, sourceOf("simulate()", cube, name, values)];
    throw new TilewiseError("invalid", `simulate(): the terms need ${name}; give it in termInputs`, {
      option: `termInputs.${name}`,
    });
  }));
}

/** The results: arrays, and what tiles say of χ². */
class Results {
  readonly #memory: SharedMemorySink;
  readonly #tiles: number[] = [];

  constructor(private readonly compared: boolean) {
    const names = ["model_vis", ...(compared ? ["residual_vis"] : [])];
    this.#memory = toSharedMemory(names, "complex128");
  }

  /** Sinks of all results. */
  get sinks(): (Provider | Sinks)[] {
    const chi: Sink = ({ data }) => void this.#tiles.push(Number(data.data[0]));
    return [this.#memory, ...(this.compared ? [{ chi_squared: chi }] : [])];
  }

  /** What was simulated. */
  get simulation(): Simulation {
    const model = this.#memory.array("model_vis").data as Float64Array;
    if (!this.compared) return { model };
    const residual = this.#memory.array("residual_vis").data as Float64Array;
    const chiSquared = this.#tiles.reduce((sum, one) => sum + one, 0);
    return { model, residual, chiSquared, chiSquaredTiles: this.#tiles };
  }
}
