/**
 * The whole measurement equation, from sources in memory to residuals in memory, in one call.
 *
 * @module
 */

import type { Provider, Sink, Sinks } from "../../hypercube/providers/provider.ts";
import { type SharedMemorySink, toSharedMemory } from "../../hypercube/providers/sinks/memory.ts";
import { runCube } from "../../hypercube/run/run_cube.ts";
import { checkOptionNames, defined } from "../../options.ts";
import { insideOf } from "../../runner/context.ts";
import { runSettings } from "../../runner/runner.ts";
import { cubeOver, inMemory } from "../predict/in_memory.ts";
import { predictionTiles, type PredictSizes } from "../predict/problem.ts";
import { checkTravel, prepareTerms } from "../terms/terms.ts";
import { equationKernel } from "./kernel.ts";
import {
  SIMULATE_INPUT,
  SIMULATE_OPTIONS,
  type SimulateInput,
  type SimulateOptions,
  type Simulation,
} from "./problem.ts";
import { TilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import { withRole } from "../../hypercube/cube/schema.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { CIRCULAR, LINEAR } from "../predict/correlations.ts";
import { type PredictSettings, settingsOf } from "../predict/options.ts";
import { inputArrays, kernelOptions } from "../predict/predict.ts";
import { sizesOf } from "../predict/sizes.ts";
import { correlationsOf, equationArrays, type EquationSettings, feedWith } from "./settings.ts";

/**
 * Simulates visibilities by the whole measurement equation, `V = base + G_p (Σ_s S · J_p B J_q^H) G_q^H` with
 * `J = E · L · … · K`, and compares them with observed ones: flags, residuals, χ². Without terms the sum is that of
 * {@link predict}.
 *
 * Memory does not grow with the number of sources. The same bits for any number of workers.
 *
 * Errors: `invalid` for arrays that do not fit together; `udf` for terms of users that fail; `over-budget`; `aborted`.
 *
 * @example A feed that is turned by 90° exchanges X and Y
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { feedRotation, simulate } from "@tilewise/tilewise/unstable/rime";
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
  checkOptionNames("simulate()", options, SIMULATE_OPTIONS);
  const { context } = options;
  checkTravel("simulate()", input.terms ?? [], (context ?? insideOf(undefined)).workers);
  const { cube, settings, sizes } = await prepared(input, options);
  const { timeIndex } = input;
  const plan = predictionTiles(cube, settings.predict, sizes, {
    ...defined({ context }),
    ...(timeIndex && settings.predict.uvw === "antenna" ? { timeIndex } : {}),
  });
  const results = new Results(settings.finish.observed === true);
  await runCube("simulate()", plan, {
    ...runSettings(options),
    kernel: equationKernel(settings),
    sources: [sourcesOf(input, options, cube)],
    sinks: results.sinks,
  });
  return results.simulation;
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

/** A checked problem. */
interface Prepared {
  readonly cube: Hypercube;
  readonly settings: EquationSettings;
  readonly sizes: PredictSizes;
}

/** Checks what is given, and makes a cube of it. */
async function prepared(input: SimulateInput, options: SimulateOptions): Promise<Prepared> {
  const { terms = [], termInputs: _, termDimensions, gains, base, flags, weights, observed, ...problem } =
    input;
  checkOptionNames("simulate()", input, SIMULATE_INPUT);
  const sizes = sizesOf("simulate()", problem, options.correlations?.length ?? 4);
  const { feed = "linear", correlations = correlationsOf(feed) } = options;
  const how = { ...options, correlations, polarised: true };
  const predict = settingsOf("simulate()", kernelOptions("simulate()", problem, how, sizes));
  checkPossible(input, predict);
  const settings: EquationSettings = {
    predict,
    terms: await prepareTerms(terms, feedWith(predict), predict.brightness),
    finish: {
      gains: gains !== undefined,
      base: base ? options.base ?? "after" : "none",
      flags: flags !== undefined,
      weights: weights !== undefined,
      observed: observed !== undefined,
    },
  };
  const all = { ...termDimensions, ...sizes, ncorr: predict.correlations.length };
  return { cube: cubeOver(equationArrays(settings), all), settings, sizes };
}

/** Refuses what belongs to antennas where there are none, and matrices where there are not four correlations. */
function checkPossible(
  { terms = [], gains }: SimulateInput,
  { correlations, uvw, jones }: PredictSettings,
): void {
  const [isTerms, names] = [terms.length > 0, correlations.join()];
  const isFour = [LINEAR, CIRCULAR].some((four) => four.join() === names);
  const refuse = (option: string, text: string) => {
    throw new TilewiseError("invalid", `simulate(): ${text}`, { option });
  };
  if (uvw === "baseline" && (isTerms || gains)) {
    refuse("antenna1", "terms and gains belong to antennas; give antenna1, antenna2, and uvw (ntime, na, 3)");
  }
  if (isTerms && !isFour) {
    const found = correlations.join(", ");
    refuse(
      "correlations",
      `terms are matrices of both feeds, which need all four correlations; found ${found}`,
    );
  }
  if (gains && correlations.length === 4 && !isFour) {
    refuse("correlations", "gains are matrices of both feeds; I, Q, U and V are not correlations of feeds");
  }
  if (jones && isTerms) {
    const text =
      "with terms, jones needs the direction of each source; number the sources where each has matrices of its own";
    refuse("jones.direction", text);
  }
}

/** Sources of all inputs of the cube. */
function sourcesOf(input: SimulateInput, { smearing }: SimulateOptions, cube: Hypercube): Provider {
  const { gains, base, flags, weights, observed } = input;
  const all: Readonly<Record<string, TypedArray>> = {
    ...input.termInputs,
    ...inputArrays(input, smearing),
    ...defined({ direction_independent_effects: gains, base_vis: base, flag: flags }),
    ...defined({ weight: weights, observed_vis: observed }),
  };
  const lacking = withRole(cube, "input").find(({ name }) => !all[name]);
  if (!lacking) return inMemory("simulate()", cube, all);
  const text = `simulate(): the terms need ${lacking.name}; give it in termInputs`;
  throw new TilewiseError("invalid", text, { option: `termInputs.${lacking.name}` });
}
