/**
 * Visibilities of a sky for the rows of an observation, written to a file as they are computed.
 *
 * @module
 */

import { type Hypercube, hypercube } from "../../hypercube/cube/cube.ts";
import { type CubePlan, planTiles } from "../../hypercube/plan/budget.ts";
import { fromArrays } from "../../hypercube/providers/arrays.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import type { CubeReport } from "../../hypercube/run/report.ts";
import { solve } from "../../hypercube/run/solve.ts";
import { gridOf, type RowGrid } from "../../observations/model/grid.ts";
import { toMsv4 } from "../../observations/model/to_msv4.ts";
import { toRows } from "../../observations/model/to_rows.ts";
import type { Observation } from "../../observations/observation.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { list, oneOf } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { Sky } from "../../skies/sky.ts";
import { formatBytes } from "../../space/size.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { predictKernel } from "../predict/kernel.ts";
import { predictArrays, type PredictKernelOptions } from "../predict/options.ts";
import { planPredict } from "../predict/predict.ts";
import type { SkyModel } from "../predict/problem.ts";
import { skyArrays, skySizes } from "../predict/sky_arrays.ts";
import { type Chosen, chosen } from "./correlations.ts";
import { gridUvw, rowUvw, type UvwOfTiles } from "./row_uvw.ts";
import { skyModel } from "./sky_model.ts";

/**
 * How the visibilities of an observation are predicted.
 * @category Measurement equation
 */
export interface PredictObservationOptions extends RunSettings<TileProgress> {
  /** `f64`, with complex128 in the file, or `mixed`, with complex64. Default `f64`. */
  readonly precision?: "f64" | "mixed";
  /** The correlations, in the order in which they are written. Default: those of the observation. */
  readonly correlations?: readonly string[];
  /** The sign of the phase. Default: that of the observation. */
  readonly convention?: PhaseConvention;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/** The names of these options. */
export const PREDICT_OBSERVATION_OPTIONS: OptionNames<PredictObservationOptions> = {
  ...RUN_SETTINGS,
  precision: oneOf("f64", "mixed"),
  correlations: list,
  convention: oneOf("fourier", "casa"),
  context: contextRule,
};

/** What will be predicted. */
export interface ObservationPlan {
  /** The tiles. */
  readonly tiles: CubePlan;
  /** The correlations that are written. */
  readonly correlations: readonly string[];
  /** The sign of the phase. */
  readonly convention: PhaseConvention;
  /** Type of the samples. */
  readonly dtype: "complex64" | "complex128";
  /** Shape of the result: times, baselines, channels, correlations, or rows, channels, correlations. */
  readonly shape: readonly number[];
  /** Times and baselines without a row, which are NaN and flagged; 0 for rows. */
  readonly missing: number;
  /** Number of sources. */
  readonly sources: number;
  /** Sources times rows times channels. */
  readonly sourceVisibilities: number;
  /** Bytes of the result. */
  readonly resultBytes: number;
  /** The plan as text. */
  explain(): string;
  /** Predicts, and writes the file. */
  run(settings?: RunSettings<TileProgress>): Promise<CubeReport>;
}

const CALL = "predictObservation()";

/**
 * Plans the visibilities of a sky for the rows of an observation in the file `out`: the rows of a `.npy` are those of the
 * observation, a `.zarr` is a Measurement Set of version 4 with the variable `VISIBILITY_MODEL` by time, baseline, frequency
 * and polarization. Rows without a baseline, and places of that grid without a row, are NaN, and flagged in the Zarr.
 */
export async function planObservation(
  sky: Sky,
  observation: Observation,
  out: string,
  options: PredictObservationOptions = {},
): Promise<ObservationPlan> {
  checkOptionNames(CALL, options, PREDICT_OBSERVATION_OPTIONS);
  const { precision = "f64", convention = observation.convention } = options;
  const { frequencies, field, rows } = observation;
  const correlations = options.correlations ?? observation.correlations;
  const which = chosen(correlations);
  const model = skyModel(sky, field.phaseCentre, frequencies);
  const context = options.context ?? insideOf(undefined);
  const kernel = kernelOf(model, frequencies, {
    precision,
    convention,
    correlations: which.predicted,
    context,
  });
  const isGrid = !/\.npy$/i.test(out);
  const grid = isGrid ? await gridOf(observation, options.signal) : undefined;
  const cube = cubeOf(kernel, model, { frequencies, rows, grid });
  const inFlight = context.workers + 1;
  const tiles = planTiles(cube, { context, tile: [isGrid ? "ntime" : "nrow", "nchan"], inFlight });
  const shape = [
    ...(grid ? [grid.times, grid.antenna1.length] : [rows]),
    frequencies.length,
    which.select.length,
  ];
  const dtype = precision === "f64" ? "complex128" : "complex64";
  const resultBytes = shape.reduce((a, b) => a * b, dtype === "complex128" ? 16 : 8);
  const sources = model.lm.length / 2;
  const facts = {
    tiles,
    correlations,
    convention,
    dtype,
    shape,
    missing: grid?.missing ?? 0,
    sources,
    sourceVisibilities: sources * (grid?.rows.length ?? rows) * frequencies.length,
    resultBytes,
  } as const;
  return {
    ...facts,
    explain: () => explain(facts),
    async run(settings = {}) {
      const uvw = grid ? gridUvw(observation, grid) : rowUvw(observation);
      const sink = await sinkOf(out, observation, grid, { dtype, which, correlations, uvw });
      return await solve(tiles, {
        ...settings,
        kernel: predictKernel(kernel),
        sources: [fromArrays(arraysOf(model, frequencies, cube)), { uvw: uvw.source }],
        sinks: [sink],
      });
    },
  };
}

/** The options of the kernel; all arrays of the sky are checked. */
function kernelOf(
  sky: SkyModel,
  frequency: Float64Array,
  options: Pick<PredictKernelOptions, "precision" | "convention" | "correlations"> & {
    readonly context: Context;
  },
): PredictKernelOptions {
  const oneRow = new Float64Array(3); // the rows of the observation are not in memory, and the options do not depend on them
  return planPredict({ sky, frequency, uvw: oneRow }, options).kernel;
}

/** Sizes that an observation gives. */
interface Rows {
  readonly frequencies: Float64Array;
  readonly rows: number;
  readonly grid: RowGrid | undefined;
}

function cubeOf(kernel: PredictKernelOptions, sky: SkyModel, { frequencies, rows, grid }: Rows): Hypercube {
  const arrays = predictArrays(kernel);
  const sizes: Record<string, number> = { ...skySizes(CALL, sky), nchan: frequencies.length };
  const named = new Set(arrays.flatMap(({ shape }) => shape));
  const own = Object.fromEntries(Object.entries(sizes).filter(([name]) => named.has(name)));
  if (!grid) return hypercube({ dimensions: { ...own, nrow: rows }, arrays });
  const ofGrid = { ntime: grid.times, nbl: grid.antenna1.length, nrow: { productOf: ["ntime", "nbl"] } };
  return hypercube({ dimensions: { ...own, ...ofGrid }, arrays });
}

/** The inputs that are in memory. */
function arraysOf(sky: SkyModel, frequency: Float64Array, cube: Hypercube): Record<string, TypedArray> {
  const all: Readonly<Record<string, TypedArray | undefined>> = {
    ...skyArrays(sky),
    frequency,
  };
  const isWanted = (pair: [string, TypedArray | undefined]): pair is [string, TypedArray] =>
    pair[1] !== undefined && cube.arrays.has(pair[0]);
  return Object.fromEntries(Object.entries(all).filter(isWanted));
}

/** What a sink needs to know. */
interface Stored {
  readonly dtype: "complex64" | "complex128";
  readonly which: Chosen;
  readonly correlations: readonly string[];
  readonly uvw: UvwOfTiles;
}

async function sinkOf(
  out: string,
  observation: Observation,
  grid: RowGrid | undefined,
  { dtype, which: { select }, correlations, uvw: { ofTile } }: Stored,
): Promise<Provider> {
  const { rows, frequencies } = observation;
  if (!grid) return toRows(out, { shape: [rows, frequencies.length], dtype, select, uvw: ofTile });
  const interval = rows > 0 ? (await observation.interval(0, 1))[0]! : 0;
  // in these files the phase is that of "casa"; with the baselines turned around it is so for others too
  const sign = observation.convention === "casa" ? 1 : -1;
  return toMsv4(out, { observation, grid, correlations, interval }, { dtype, select, uvw: ofTile, sign });
}

function explain(plan: Omit<ObservationPlan, "explain" | "run">): string {
  const { sources, sourceVisibilities, correlations, shape, missing, dtype, resultBytes, tiles } = plan;
  const rows = shape.slice(0, -2).join(" × ");
  const isGrid = shape.length === 4;
  return [
    `${sources} sources × ${rows} ${isGrid ? "times and baselines" : "rows"} × ${shape.at(-2)} channels = ` +
    `${sourceVisibilities} source visibilities of ${correlations.join(", ")}, phase as in ${plan.convention}`,
    `${shape.join(" × ")} ${dtype}, ${formatBytes(resultBytes)}${
      missing > 0 ? `; ${missing} missing rows are NaN` : ""
    }`,
    tiles.explain(),
  ].join("\n");
}
