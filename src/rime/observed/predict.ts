/**
 * From a sky and an observation to visibilities, residuals and χ² in memory, in one call.
 *
 * @module
 */

import { toMemory } from "../../hypercube/providers/sinks/memory.ts";
import { runCube } from "../../hypercube/run/run_cube.ts";
import type { Observation } from "../../observations/observation.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { whole } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { Sky } from "../../skies/component.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { predict as predictArrays, type PredictOptions } from "../predict/predict.ts";
import type { PredictInput, SkyModel } from "../predict/problem.ts";
import { checkTravel } from "../terms/terms.ts";
import { EQUATION_OPTIONS, equationOf, type EquationOptions, type ObservedEquation } from "./equation.ts";

/**
 * How the visibilities of an observation are predicted, and where.
 * @category Measurement equation
 */
export interface ObservedOptions extends RunSettings<TileProgress>, Omit<EquationOptions, "compare"> {
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
  /**
   * Tiles that are in memory at the same time. Whole, at least 1. Default 4. Bits of χ² depend on it, as they do on
   * the budget, but not on workers.
   */
  readonly inFlight?: number;
}

const { compare: _, ...EQUATION } = EQUATION_OPTIONS;
// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ObservedOptions> = {
  ...RUN_SETTINGS, ...EQUATION, context: contextRule, inFlight: whole(1),
};

/**
 * Visibilities in memory: complex samples as pairs.
 * @category Measurement equation
 */
export type Visibilities = NDArray<"complex64" | "complex128">;

/**
 * Predicts the visibilities of an observation: the array (nrow, nchan, ncorr), with rows and correlations in their order
 * there, complex128, with precision `mixed` complex64. The sign of the phase is that of the observation. Visibilities of
 * rows whose baseline is unknown are NaN.
 *
 * @param sky the sky
 * @param observation what was observed
 * @param options terms, precision, and the context
 * @returns the visibilities
 * @throws {TilewiseError} `invalid` for components more than 90° from the phase centre, and correlations that cannot be
 * predicted; `over-budget`, with the sum; `aborted`; those of reading
 *
 * @example
 * ```ts
 * import { openObservation, readSky } from "@tilewise/tilewise/observations";
 * import { predict } from "@tilewise/tilewise/rime";
 * import { assertEquals } from "@std/assert";
 * await using observation = await openObservation({ // or "3c286.ms"
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9],
 *   antenna1: [0],
 *   antenna2: [1],
 *   uvw: [3, 4, 0],
 * });
 * const sky = await readSky(new TextEncoder().encode("Name,l,m,I,Q\ncentre,0,0,2,1\n")); // or "sky.txt"
 * const model = await predict(sky, observation);
 * assertEquals([model.shape, [...model.data]], [[1, 1, 2], [3, 0, 1, 0]]);
 * ```
 * @category Measurement equation
 */
export function predict(
  sky: Sky | SkyModel,
  observation: Observation,
  options?: ObservedOptions,
): Promise<Visibilities>;
/**
 * Predicts visibilities of sources, `V = Σ S · B · exp(−2πi (u l + v m + w (n − 1)) ν / c)`: the array (ntime, nbl, nchan,
 * correlations) for antennas in a dense grid, else (nrow, nchan, correlations), complex128, with precision `mixed` complex64.
 * See {@link predictKernel} for accuracy. The same bits for any budget and any number of workers. With workers the samples
 * lie in a `SharedArrayBuffer`, into which workers put them.
 *
 * @param input the arrays
 * @param options terms, precision, and the context
 * @returns the visibilities
 * @throws {TilewiseError} `invalid` for arrays that do not fit together, numbers that are not finite, and directions outside
 * of `l² + m² ≤ 1`; `over-budget`, with the sum, if the least tile is too large; `aborted`
 *
 * @example A source of 2 Jy, on three baselines at one time
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { predict } from "@tilewise/tilewise/rime";
 * import { assertAlmostEquals, assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const vis = await predict({
 *   uvw: Float64Array.of(0, 0, 0, 299.792458, 0, 0, 0, 150, 0), // (time, antenna, 3)
 *   antenna1: Int32Array.of(0, 0, 1),
 *   antenna2: Int32Array.of(1, 2, 2),
 *   frequency: Float64Array.of(1e9),
 *   sky: { lm: Float64Array.of(0.00025, 0), stokes: Float64Array.of(2, 0, 0, 0) },
 * }, { context, correlations: ["I"] });
 * assertEquals(vis.shape, [1, 3, 1, 1]);
 * const [re, im] = vis.data; // a quarter of a turn
 * assertAlmostEquals(Number(re), 0, 1e-9);
 * assertAlmostEquals(Number(im), 2, 1e-9);
 * ```
 * @category Measurement equation
 */
export function predict(input: PredictInput, options?: PredictOptions): Promise<Visibilities>;
export async function predict(
  first: Sky | SkyModel | PredictInput,
  second: Observation | PredictOptions = {},
  options: ObservedOptions = {},
): Promise<Visibilities> {
  if (!isObservation(second)) return await predictArrays(first as PredictInput, second);
  checkOptionNames("predict()", options, OPTIONS);
  const equation = await equationOf("predict()", first as Sky | SkyModel, second, options);
  const result = toMemory("model_vis");
  await run("predict()", equation, options, result);
  return inOrder(result.array("model_vis"), equation, second);
}

/**
 * What {@link compare} gives.
 * @category Measurement equation
 */
export interface Comparison {
  /** Observed less predicted visibilities (nrow, nchan, ncorr), 0 where flagged; rows and correlations as observed. */
  readonly residual: Visibilities;
  /** χ²: the sum of weight · |residual|² over all samples without flags. */
  readonly chiSquared: number;
}

/**
 * Compares an observation with what a sky predicts: residuals and χ², with the flags and weights of the observation, in one
 * run. The bits do not depend on the number of workers.
 *
 * Errors: those of {@link predict}; `invalid` for an observation without visibilities.
 *
 * @example
 * ```ts
 * import { openObservation, readSky } from "@tilewise/tilewise/observations";
 * import { compare } from "@tilewise/tilewise/unstable/rime";
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
 *   visibility: Float64Array.of(2, 0, 1, 1),
 * });
 * const sky = await readSky(new TextEncoder().encode("Name,l,m,I\ncentre,0,0,1\n"));
 * const { residual, chiSquared } = await compare(sky, observation);
 * assertEquals([[...residual.data], chiSquared], [[1, 0, 0, 1], 2]);
 * ```
 * @category Measurement equation
 */
export async function compare(
  sky: Sky | SkyModel,
  observation: Observation,
  options: ObservedOptions = {},
): Promise<Comparison> {
  checkOptionNames("compare()", options, OPTIONS);
  const equation = await equationOf("compare()", sky, observation, { ...options, compare: true });
  const result = toMemory("residual_vis", "chi_squared");
  await run("compare()", equation, options, result, { chi_squared: "sum" });
  return {
    residual: inOrder(result.array("residual_vis"), equation, observation),
    chiSquared: result.array("chi_squared", "float64").data[0]!,
  };
}

async function run(
  call: string,
  { cube, kernel, sources }: ObservedEquation,
  options: ObservedOptions,
  result: ReturnType<typeof toMemory>,
  merge: Readonly<Record<string, "sum">> = {},
): Promise<void> {
  const { context = insideOf(undefined), terms = [], inFlight } = options;
  checkTravel(call, terms, context.workers);
  await runCube(call, cube, {
    ...runSettings(options),
    kernel,
    sources,
    sinks: [result],
    merge,
    plan: { context, tile: ["nrow", "nchan"], ...defined({ inFlight }) },
  });
}

/** Whether a value is an observation, and no options. */
function isObservation(value: unknown): value is Observation {
  const { antennas, frequencies } = (value ?? {}) as Partial<Observation>;
  return antennas !== undefined && frequencies !== undefined;
}

/** Samples with the correlations in the order in which they were observed. */
function inOrder(found: NDArray, { correlations }: ObservedEquation, observation: Observation): Visibilities {
  const array = found as Visibilities;
  const select = observation.correlations.map((name) => correlations.findIndex((one) => one === name));
  const computed = correlations.length, count = select.length;
  if (count === computed && select.every((place, i) => place === i)) return array;
  const { data, shape, dtype } = array;
  const own = data.slice(0, data.length / computed * count) as typeof data;
  for (let at = 0, to = 0; at < data.length; at += 2 * computed) {
    for (const place of select) {
      own[to++] = data[at + 2 * place]!;
      own[to++] = data[at + 2 * place + 1]!;
    }
  }
  return ndarray(own, [...shape.slice(0, -1), count], dtype) as Visibilities;
}
