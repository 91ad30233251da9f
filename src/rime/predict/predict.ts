/**
 * From sources, antennas and channels in memory to visibilities in memory, in one call.
 *
 * @module
 */

import { toSharedMemory } from "../../hypercube/providers/sinks/memory.ts";
import type { TilePlan } from "../../hypercube/plan/budget.ts";
import { runCube } from "../../hypercube/run/run_cube.ts";
import { inner, whole } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { notCut } from "../../runner/plan.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { cubeOver, inMemory } from "./in_memory.ts";
import { predictKernel } from "./kernel.ts";
import {
  type EvenChannels,
  PREDICT_KERNEL_OPTIONS,
  predictArrays,
  type PredictKernelOptions,
  settingsOf,
} from "./options.ts";
import { type PredictInput, predictionTiles, type PredictSizes } from "./problem.ts";
import { kernelSmearing, SMEARING, type Smearing, smearingInputs } from "./smearing.ts";
import { sizesOf, stokesAxesOf } from "./sizes.ts";
import { shapesOf, skyArrays } from "./sky_arrays.ts";

/**
 * How visibilities are predicted, and where.
 * @category Measurement equation
 */
export interface PredictOptions
  extends
    PredictRunSettings,
    Pick<PredictKernelOptions, "convention" | "precision" | "correlations" | "brightness" | "polarised"> {
  /** What bandwidth and integration take away. Default: nothing. */
  readonly smearing?: Smearing;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
  /** Tiles that are computed at the same time. Whole, at least 1. Default: one more than the context has workers. */
  readonly inFlight?: number;
}

/**
 * How the run of a planned prediction is cancelled and watched.
 * @category Measurement equation
 */
export interface PredictRunSettings extends RunSettings<TileProgress> {}

const { convention, precision, correlations, brightness, polarised } = PREDICT_KERNEL_OPTIONS;
// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<PredictOptions> = {
  ...RUN_SETTINGS, convention, precision, correlations, brightness, polarised, smearing: inner(SMEARING),
  context: contextRule, inFlight: whole(1),
};

/**
 * What {@link planPredict} has found out: sizes, tiles and memory.
 * @category Measurement equation
 */
export interface PredictPlan extends TilePlan {
  /** What the kernel computes. */
  readonly kernel: PredictKernelOptions;
  /** Sources times visibilities, each of which has all correlations. */
  readonly sourceVisibilities: number;
  /** Bytes of the result. */
  readonly resultBytes: number;
  /** Predicts, as {@link predict} does. */
  run(settings?: PredictRunSettings): Promise<NDArray<"complex64" | "complex128">>;
}

/**
 * Plans {@link predict}: checks all arrays, and says what will be computed, in which tiles, in how much memory.
 *
 * @param input the arrays
 * @param options precision, and the context
 * @returns the plan, for `run`
 * @throws {TilewiseError} `invalid` for arrays that do not fit together; `over-budget` if the least tile is too large
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { planPredict } from "@tilewise/tilewise/rime";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "16MiB", workers: 0 });
 * const sky = { lm: Float64Array.of(0, 0), stokes: Float64Array.of(1, 0, 0, 0) };
 * const plan = planPredict({ uvw: Float64Array.of(100, 0, 0), frequency: Float64Array.of(1e9), sky }, { context });
 * assertEquals([plan.sourceVisibilities, plan.resultBytes, plan.kernel.uvw], [1, 64, "baseline"]);
 * ```
 * @category Measurement equation
 */
export function planPredict(input: PredictInput, options: PredictOptions = {}): PredictPlan {
  return prepare("planPredict()", input, options);
}

type HowPredicted = Pick<
  PredictOptions,
  "convention" | "precision" | "correlations" | "brightness" | "polarised" | "smearing"
>;

function prepare(call: string, input: PredictInput, options: PredictOptions): PredictPlan {
  checkOptionNames(call, options, OPTIONS);
  const sizes = sizesOf(call, input, options.correlations?.length ?? 4);
  const kernel = kernelOptions(call, input, options, sizes);
  const settings = settingsOf(call, kernel);
  const { nrow, nchan, nsrc } = sizes;
  const context = options.context ?? insideOf(undefined);
  const { timeIndex } = input;
  const tiles = predictionTiles(cubeOver(predictArrays(kernel), sizes), settings, sizes, {
    context,
    inFlight: options.inFlight ?? context.workers + 1,
    ...(timeIndex && settings.uvw === "antenna" ? { timeIndex } : {}),
  });
  const sourceVisibilities = nsrc * nrow * nchan;
  const resultBytes = nrow * nchan * settings.correlations.length * (settings.precision === "f64" ? 16 : 8);
  const explain = () =>
    `${nsrc} sources × ${nrow} rows × ${nchan} channels = ${sourceVisibilities} source visibilities of ` +
    `${settings.correlations.join(", ")}\n${tiles.explain()}`;
  const sources = [inMemory(call, tiles.cube, inputArrays(input, options.smearing))];
  const run: PredictPlan["run"] = async (settings = {}) => {
    const result = toSharedMemory(["model_vis"]);
    await runCube("predict()", tiles, {
      ...settings,
      kernel: predictKernel(kernel),
      sources,
      sinks: [result],
    });
    return result.array("model_vis") as NDArray<"complex64" | "complex128">;
  };
  return { ...tiles, kernel, sourceVisibilities, resultBytes, explain, run, parts: notCut }; // arrays in memory do not travel
}

/** What the kernel is told of a problem, and of how to compute it. */
export function kernelOptions(
  call: string,
  input: PredictInput,
  { convention, precision, correlations, brightness, polarised, smearing }: HowPredicted,
  sizes: PredictSizes,
): PredictKernelOptions {
  const { sky, antenna1, timeIndex } = input;
  const channels = evenChannels(input.frequency);
  return {
    ...defined({ convention, precision, correlations, brightness }),
    polarised: polarised ?? isPolarised(sky.stokes),
    uvw: antenna1 ? "antenna" : "baseline",
    rows: timeIndex ? "ragged" : "dense",
    stokesAxes: stokesAxesOf(call, input, sizes),
    spectrum: sky.spectrum?.kind ?? "none",
    shapes: shapesOf(sizes),
    jones: input.jones !== undefined && !input.jones.direction,
    directions: input.jones?.direction !== undefined,
    ...defined({ channels }),
    ...(smearing ? { smearing: kernelSmearing(smearing) } : {}),
  };
}

/** Whether any Q, U or V is not 0. */
export function isPolarised(stokes: Float64Array): boolean {
  return stokes.some((value, i) => i % 4 !== 0 && value !== 0);
}

/** The spacing of the channels, if they are evenly spaced up to rounding. */
export function evenChannels(frequency: Float64Array): EvenChannels | undefined {
  const { length } = frequency;
  if (length < 2) return undefined;
  const first = frequency[0]!, step = (frequency[length - 1]! - first) / (length - 1);
  const even = frequency.every((value, c) => Math.abs(value - (first + c * step)) <= 4e-16 * value);
  return even ? { first, step } : undefined;
}

/** Predicts visibilities of arrays in memory: see `predict()` of the measurement equation. */
export async function predict(
  input: PredictInput,
  options: PredictOptions = {},
): Promise<NDArray<"complex64" | "complex128">> {
  return await prepare("predict()", input, options).run(runSettings(options));
}

/** The arrays of a problem by the names of inputs; kernels do not need all of them. */
export function inputArrays(
  { uvw, frequency, antenna1, antenna2, timeIndex, sky, jones }: PredictInput,
  smearing: Smearing | undefined,
): Record<string, TypedArray> {
  const { matrices, direction } = jones ?? {};
  return {
    ...(smearing ? smearingInputs(smearing, frequency.length) : {}),
    ...skyArrays(sky),
    frequency,
    uvw,
    ...defined({ antenna1, antenna2, time_index: timeIndex }),
    ...defined({ jones: matrices, direction_jones: matrices, direction }),
  };
}
