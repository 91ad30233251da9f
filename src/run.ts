/**
 * Runs any plan, in the context that it was made for.
 *
 * @module
 */

import { TilewiseError } from "./errors.ts";
import type { Hypercube } from "./hypercube/cube/cube.ts";
import type { CubePlan, CubeReport, CubeRunOptions } from "./hypercube/run/options.ts";
import type { AnyPlan } from "./runner/plan.ts";
import type { PlanTypes } from "./udf/interface/buffer_types.ts";
import type { Plan, Run, RunOptions } from "./udf/plan/plan_facts.ts";

import { inWords } from "./options.ts";
import type { DType } from "./space/dtype.ts";
import type { MapPlan, MapRun, MapRunOptions, WithSink } from "./views/map/map_plan.ts";

/**
 * Runs a plan of UDFs. The results have the same bits for any number of workers.
 *
 * @param plan what `plan` gave
 * @param options a signal, and who hears of the progress
 * @returns the run: await it for the results, or iterate over partial ones
 * @throws {TilewiseError} `aborted` with the number of merged partitions, `udf` with stack and partition when a UDF throws,
 *   `worker` or `timeout` when workers die or hang again and again, and those of the byte source.
 *
 * @example All at once, or as it grows
 * ```ts
 * import { open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...results.bright.intensity.data], [3, 7]);
 * ```
 * @category Runs
 */
export function run<R extends PlanTypes>(plan: Plan<R>, options?: RunOptions): Run<R>;
/**
 * Runs an operation over views; the sink takes the result.
 *
 * @param plan what to compute, as `plan` or `planMap` returned it, or a cube
 * @param options the sink, `signal`, `onProgress` and what else may differ between two runs of one plan
 * @returns a promise that resolves when the run has ended, or the run itself, to await or to iterate over
 * @throws {TilewiseError} those of {@link mapViews}
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { boxMean, planMap } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(3, 6, 9, 12), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const plan = await planMap(image, boxMean({ radius: [0, 1] }), { context });
 * assertEquals((await run(plan)).data, Float32Array.of(4, 6, 9, 11));
 * await run(plan, { sink: ({ origin, data }) => console.log(origin, data) });
 * ```
 */
export function run<D extends DType>(
  plan: MapPlan<D>,
  options: MapRunOptions & WithSink<D>,
): Promise<void>;
/**
 * Runs an operation over views: await it for the result, or iterate over its blocks, which are whole rows or tiles. A block is
 * valid until the next one is requested.
 */
export function run<D extends DType>(
  plan: MapPlan<D>,
  options?: MapRunOptions,
): MapRun<D>;
/**
 * Runs over a cube: resolves with a report when its sinks have taken all tiles. A cube that has no plan is planned with the
 * option `plan` when its providers have said what they change. It holds `plan.memory.total` bytes of that context, and waits for them if other runs hold
 * them.
 *
 * @param plan what to compute, as `plan` or `planMap` returned it, or a cube
 * @param options the sink, `signal`, `onProgress` and what else may differ between two runs of one plan
 * @returns a promise that resolves when the run has ended, or the run itself, to await or to iterate over
 * @throws {TilewiseError} `udf` if a source, a sink, a handler of a provider or the kernel throws, with array, tile and
 * provider; `timeout` if one does not resolve; `invalid` for samples of a wrong shape or type, and for providers that
 * disagree; `aborted`; `worker` or `timeout` if workers die or hang repeatedly
 *
 * @example A sum over one dimension, the same for any number of workers
 * ```ts
 * import { createContext, run } from "@tilewise/tilewise";
 * import { cubeFunction, hypercube, planTiles, toMemory } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { n: 100 },
 *   arrays: [{ name: "x", shape: ["n"], dtype: "float64" }, { name: "total", shape: [], dtype: "float64", role: "output" }],
 * });
 * const add = cubeFunction(({ arrays: { x, total } }) => {
 *   total.data[0] = x.data.reduce((sum, value) => sum + value, 0);
 * }, { arrays: { x: "float64", total: "float64" } });
 * await using context = createContext({ workers: 0, memory: "16KiB" });
 * const memory = toMemory("total");
 * const { tiles } = await run(planTiles(cube, { context, tile: ["n"], inFlight: 40 }), {
 *   kernel: add,
 *   sources: { x: ({ extents: [[lower, upper] = [0, 0]] }) => Float64Array.from({ length: upper - lower }, (_, i) => lower + i) },
 *   sinks: [memory],
 *   merge: { total: "sum" },
 * });
 * assertEquals(tiles > 1, true);
 * assertEquals(memory.array("total").data[0], 4950);
 * ```
 */
export function run(plan: CubePlan | Hypercube, options: CubeRunOptions): Promise<CubeReport>;
/** Runs a plan of any other kind. */
export function run<O extends object, R>(
  plan: Omit<AnyPlan, "run"> & {
    /** Its run. */
    readonly run: (options?: O) => R;
  },
  options?: O,
): R;
export function run(plan: AnyPlan | Hypercube, options: object = {}): unknown {
  return planned(plan).run(options);
}

/** A plan; of a cube, what plans it before it runs. */
function planned(given: unknown): Pick<AnyPlan, "run"> {
  const { run, derivations } = (given ?? {}) as Partial<AnyPlan & Hypercube>;
  if (run) return given as AnyPlan;
  if (derivations) return { run: (options) => runOverCube(given as Hypercube, options as CubeRunOptions) };
  const found = inWords(given),
    hint = found === "a promise" ? "; await it" : "; plan(dataset, udfs) makes one";
  throw new TilewiseError("invalid", `run() takes a plan; it was given ${found}${hint}`, { found });
}

/** Runs over cubes are loaded with the first one. */
async function runOverCube(cube: Hypercube, options: CubeRunOptions): Promise<CubeReport> {
  return await (await import("./hypercube/run/run_cube.ts")).runCube("run()", cube, options);
}
