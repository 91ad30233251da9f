/**
 * Visibilities of a sky for the rows of an observation, written to a file as they are computed.
 *
 * @module
 */

import { isKind } from "../../sinks/registry.ts";
import { type Hypercube, hypercube } from "../../hypercube/cube/cube.ts";
import type { CubeProblem } from "../../hypercube/parts/problem.ts";
import type { TilePlan } from "../../hypercube/plan/budget.ts";
import { bytesOfTiles } from "../../hypercube/plan/tile_bytes.ts";
import type { Provider, Source } from "../../hypercube/providers/provider.ts";
import type { CubeReport } from "../../hypercube/run/options.ts";
import { planRun, runCube } from "../../hypercube/run/run_cube.ts";
import {
  asMeasurementSet,
  gridOf,
  onGrid,
  type RowGrid,
  withoutSamples,
} from "../../observations/model/grid.ts";
import { toMsv4, toRows } from "../../observations/model/to_msv4.ts";
import type { Observation } from "../../observations/observation.ts";
import { fromObservation } from "../../observations/provider.ts";
import type { Beside } from "../../io/write/together.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { list, oneOf } from "../../options/rules.ts";
import { showAccount } from "../../memory/account.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { Sky } from "../../skies/component.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { formatBytes } from "../../space/size.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { type Chosen, chosen } from "./correlations.ts";
import { equationOf } from "./equation.ts";
import { before } from "./sky_model.ts";

/**
 * How the visibilities of an observation are predicted.
 * @category Measurement equation
 */
export interface PredictObservationOptions extends RunSettings<TileProgress> {
  /**
   * `f64`, with complex128 in the file, or `mixed`, with complex64: twice as fast, errors below 4e-7 of the sum of the fluxes.
   * Default `f64`.
   */
  readonly precision?: "f64" | "mixed";
  /** The correlations, in the order in which they are written. Default: those of the observation. */
  readonly correlations?: readonly string[];
  /** The sign of the phase. Default: that of the observation. */
  readonly convention?: PhaseConvention;
  /**
   * What becomes of components more than 90° from the phase centre: `refuse`, or `skip`, with those below the horizon at all times.
   * Default `refuse`.
   */
  readonly behind?: "refuse" | "skip";
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/** The names of these options. */
// deno-fmt-ignore: written by `deno task build`
export const PREDICT_OBSERVATION_OPTIONS: OptionNames<PredictObservationOptions> = {
  ...RUN_SETTINGS, precision: oneOf("f64", "mixed"), correlations: list,
  convention: oneOf("fourier", "casa"), behind: oneOf("refuse", "skip"), context: contextRule,
};

/** How the file of a simulation differs from that of a model. */
export interface Simulated {
  /** The name of the visibilities. */
  readonly name: string;
  /** What is added to a sample, by its number in the array: a pair. */
  readonly added: (index: number) => readonly [number, number];
}

/**
 * What will be predicted.
 * @category Measurement equation
 */
export interface PredictionFacts {
  /** The correlations that are written. */
  readonly correlations: readonly string[];
  /** The sign of the phase. */
  readonly convention: PhaseConvention;
  /** Type of the samples. */
  readonly dtype: "complex64" | "complex128";
  /** Shape of the result: times, baselines, channels, correlations, or rows, channels, correlations. */
  readonly shape: readonly number[];
  /** What its dimensions are. */
  readonly axes: readonly AxisFacts[];
  /** What its samples mean. */
  readonly values: ValueFacts;
  /** Times and baselines without a row, which are NaN and flagged; 0 for rows. */
  readonly missing: number;
  /** Components that were left out, as they are behind the phase centre, or below the horizon at all times. */
  readonly behind: number;
  /** Number of sources. */
  readonly sources: number;
  /** Sources times rows times channels. */
  readonly sourceVisibilities: number;
  /** Bytes of the result. */
  readonly resultBytes: number;
}

/** A prediction as a cube, its kernel and its sources, and what takes its visibilities. */
export interface ObservationProblem {
  /** The cube. */
  readonly problem: CubeProblem;
  /** What is predicted. */
  readonly facts: PredictionFacts;
  /** What a sink needs to know of rows. */
  readonly rows: { readonly select: readonly number[]; readonly uvw: Observation["uvw"] };
  /** A provider that writes the file `out`. */
  sink(out: string, beside?: Beside): Promise<Provider>;
}

/** A prediction whose tiles are planned. */
export interface ObservationPlan extends PredictionFacts, TilePlan {
  /** Predicts, and writes the file, and what lies beside it. */
  run(settings?: RunSettings<TileProgress> & { readonly beside?: Beside }): Promise<CubeReport>;
}

const CALL = "predictObservation()";

/** Milliseconds that timers count to: what lies beside a result may have to read all of it. */
const LONGEST = 2 ** 31 - 1;

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
  simulated?: Simulated,
): Promise<ObservationPlan> {
  const isRows = isKind(out, "npy");
  const { problem, facts, sink } = await observationProblem(sky, observation, isRows, options, simulated);
  const { cube, kernel, sources, plan } = problem;
  const asked = { ...plan, context: options.context ?? insideOf(undefined) };
  const { plan: tiles, memory } = await planRun(cube, { kernel, sources, sinks: [], plan: asked });
  const planned = { ...tiles, ...facts, memory };
  return {
    ...planned,
    explain: () => explain(planned, tiles.explain()),
    run: async ({ beside, ...settings } = {}) => {
      const longer = beside ? { callTimeout: LONGEST } : {};
      const sinks = [await sink(out, beside)];
      return await runCube(CALL, tiles, { ...settings, ...longer, kernel, sources, sinks });
    },
  };
}

/** The prediction as a cube, over the rows of the observation if `asRows`, else over the grid of times and baselines. */
export async function observationProblem(
  sky: Sky,
  observation: Observation,
  asRows: boolean,
  options: PredictObservationOptions = {},
  simulated?: Simulated,
): Promise<ObservationProblem> {
  checkOptionNames(CALL, options, PREDICT_OBSERVATION_OPTIONS);
  const { precision = "f64", convention = observation.convention } = options;
  const { sky: seen, behind } = options.behind === "skip" ? before(sky, observation) : { sky, behind: 0 };
  const { frequencies, rows } = observation;
  const correlations = options.correlations ?? observation.correlations;
  const which = chosen(correlations);
  const grid = asRows ? undefined : await gridOf(observation, options.signal);
  const signed = { ...observation, convention };
  const told = grid ? asMeasurementSet(signed) : signed;
  const wanted = withoutSamples(told, { ...grid && onGrid(told, grid), correlations: which.predicted });
  const equation = await equationOf(CALL, seen, wanted, { precision });
  const cube = grid ? byTime(equation.cube, grid) : equation.cube;
  const shape = [
    ...(grid ? [grid.times, grid.antenna1.length] : [rows]),
    frequencies.length,
    which.select.length,
  ];
  const dtype = precision === "f64" ? "complex128" : "complex64";
  const resultBytes = shape.reduce((a, b) => a * b, dtype === "complex128" ? 16 : 8);
  const sources = cube.dimension("nsrc").size;
  // in place of the first of the equation, which would read all rows again to count pairs of antennas
  const ofRows = fromObservation(wanted, { correlations: which.predicted, dimensions: false });
  const inputs = [
    ofRows,
    ...equation.sources.slice(1),
    ...(grid && cube.arrays.has("time_index") ? [{ time_index: timesOfTile(grid) }] : []),
  ];
  const context = options.context ?? insideOf(undefined);
  const { uvw, interval } = wanted;
  const stored = { dtype, which, correlations, uvw, interval, simulated } as const;
  return {
    problem: {
      cube,
      kernel: equation.kernel,
      sources: inputs,
      plan: {
        tile: [grid ? "ntime" : "nrow", "nchan"],
        inFlight: context.workers + 1,
        ...unhurried(cube, grid ? 1 : Math.ceil(rows / Math.max(1, observation.times.length)), sources),
      },
    },
    sink: (out, beside) => sinkOf(out, observation, grid, { ...stored, beside }),
    rows: { select: which.select, uvw },
    facts: {
      correlations,
      convention,
      dtype,
      shape,
      axes: axesOf(asRows, frequencies, correlations),
      values: { kind: "complex", unit: "Jy" },
      missing: grid?.missing ?? 0,
      behind,
      sources,
      sourceVisibilities: sources * (grid?.rows.length ?? rows) * frequencies.length,
      resultBytes,
    },
  };
}

/** What the dimensions of the visibilities are. */
function axesOf(
  asRows: boolean,
  frequencies: ArrayLike<number>,
  correlations: readonly string[],
): readonly AxisFacts[] {
  const rows: readonly AxisFacts[] = asRows
    ? [{ name: "row", kind: "baseline" }]
    : [{ name: "time", kind: "time" }, { name: "baseline", kind: "baseline" }];
  return [
    ...rows,
    { name: "frequency", kind: "frequency", unit: "Hz", positions: Array.from(frequencies) },
    { name: "polarization", kind: "other", names: correlations },
  ];
}

/** Sources times visibilities of a tile above which it is cut: a second or so, so that no worker is taken for hung. */
const HEAVY = 2 ** 28;
/** Channels that are not cut, and bytes that tiles have anyway. */
const FEWEST_CHANNELS = 4, USUAL = 8 * 2 ** 20;

/**
 * Smaller tiles where there are many sources: of fewer times, whose rows, `step` of the first dimension, stay together, as they share
 * phasors; then of fewer channels.
 */
function unhurried(cube: Hypercube, step: number, sources: number): { largestTile?: number } {
  const isGrid = cube.dimensions.has("nbl"), axis = isGrid ? "ntime" : "nrow";
  const channels = cube.dimension("nchan").size, { size } = cube.dimension(axis);
  const rows = isGrid ? cube.dimension("nbl").size : step;
  const work = Math.max(1, rows * channels * sources);
  if (work * size / step <= HEAVY) return {};
  const extents = work <= HEAVY ? [Math.min(size, step * Math.floor(HEAVY / work)), channels] : [
    Math.min(size, step),
    Math.min(channels, Math.max(FEWEST_CHANNELS, Math.floor(channels * HEAVY / work))),
  ];
  const largestTile = bytesOfTiles(cube, [axis, "nchan"]).tileBytes(extents);
  return largestTile < USUAL ? { largestTile } : {};
}

/** A cube over rows as one whose rows are times and baselines, so that tiles are whole times. */
function byTime(cube: Hypercube, { times, antenna1 }: RowGrid): Hypercube {
  const own = [...cube.dimensions.keys()].filter((name) => name !== "nrow");
  const sizes = Object.fromEntries(own.map((name) => [name, cube.dimension(name).size]));
  const rows = { ntime: times, nbl: antenna1.length, nrow: { productOf: ["ntime", "nbl"] } };
  return hypercube({ dimensions: { ...sizes, ...rows }, arrays: [...cube.arrays.values()] });
}

/** The numbers of the times of rows, counted from the first time of the tile: positions of antennas are cut with it. */
function timesOfTile({ antenna1: { length: count } }: RowGrid): Source {
  return ({ extents: [[start, stop] = [0, 0]] }) =>
    Int32Array.from({ length: stop - start }, (_, row) => Math.floor(row / count));
}

/** What a sink needs to know. */
interface Stored {
  readonly dtype: "complex64" | "complex128";
  readonly which: Chosen;
  readonly correlations: readonly string[];
  readonly uvw: Observation["uvw"];
  readonly interval: Observation["interval"];
  readonly simulated: Simulated | undefined;
  readonly beside?: Beside | undefined;
}

async function sinkOf(
  out: string,
  observation: Observation,
  grid: RowGrid | undefined,
  { dtype, which: { select }, correlations, uvw, interval: each, simulated, beside }: Stored,
): Promise<Provider> {
  const { rows, frequencies } = observation;
  if (!grid) return toRows(out, { shape: [rows, frequencies.length], dtype, select, uvw, beside });
  const interval = rows > 0 ? (await observation.interval(0, 1))[0]! : 0;
  const { name, added } = simulated ?? {};
  const facts = { observation, grid, correlations, interval, ...defined({ name }) };
  return toMsv4(out, facts, { dtype, select, uvw, interval: each, beside, ...defined({ added }) });
}

function explain(plan: Omit<ObservationPlan, "run">, tiles: string): string {
  const { sources, sourceVisibilities, correlations, shape, missing, dtype, resultBytes } = plan;
  const rows = shape.slice(0, -2).join(" × ");
  const isGrid = shape.length === 4;
  return [
    ...(plan.behind > 0
      ? [`${plan.behind} sources behind the phase centre or below the horizon are left out`]
      : []),
    `${sources} sources × ${rows} ${isGrid ? "times and baselines" : "rows"} × ${shape.at(-2)} channels = ` +
    `${sourceVisibilities} source visibilities of ${correlations.join(", ")}, phase as in ${plan.convention}`,
    `${shape.join(" × ")} ${dtype}, ${formatBytes(resultBytes)}${
      missing > 0 ? `; ${missing} missing rows are NaN` : ""
    }`,
    tiles,
    `memory of the run: ${showAccount(plan.memory, insideOf(plan.context))}`,
  ].join("\n");
}
