/**
 * Runs any plan, in the context that it was made for.
 *
 * @module
 */

import { TilewiseError } from "./errors.ts";
import type { Hypercube } from "./hypercube/cube/cube.ts";
import type { CubePlan } from "./hypercube/plan/budget.ts";
import type { CubeReport } from "./hypercube/run/report.ts";
import type { CubeRunOptions } from "./hypercube/run/options.ts";
import { ownRunner } from "./runner/own_runner.ts";
import type { PlanTypes } from "./udf/interface/buffer_types.ts";
import type { Plan } from "./udf/plan/face.ts";
import { type Run, run as runUdfs, type RunOptions } from "./udf/run/run.ts";
import { inWords } from "./options.ts";
import type { DType } from "./space/dtype.ts";
import type { MapPlan } from "./views/map/facts.ts";
import type { MapRun } from "./views/map/map_run.ts";
import type { MapRunOptions, WithSink } from "./views/map/sink.ts";

/**
 * Runs a plan of UDFs. The results have the same bits for any number of workers.
 *
 * Errors: `aborted` with the number of merged partitions, `udf` with stack and partition when a UDF throws,
 * `worker` or `timeout` when workers die or hang again and again, and those of the byte source.
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
 * Runs an operation over views; the sink takes the result. Errors: those of {@link mapViews}.
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
 * Errors: `udf` if a source, a sink, a handler of a provider or the kernel throws, with array, tile and provider;
 * `timeout` if one does not resolve; `invalid` for samples of a wrong shape or type, and for providers that disagree;
 * `aborted`; `worker` or `timeout` if workers die or hang repeatedly.
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
export function run(
  plan: Plan | MapPlan | CubePlan | Hypercube,
  options: object = {},
): Run | MapRun | Promise<void> | Promise<CubeReport> {
  const own = ownRunner(plan);
  if (own) return own(plan, options) as MapRun | Promise<void>;
  const { views, cube, derivations } = (plan ?? {}) as Partial<MapPlan & CubePlan & Hypercube>;
  if (views) throw noMapPlan(plan);
  if (cube ?? derivations) return runOverCube(plan as CubePlan | Hypercube, options as CubeRunOptions);
  return runUdfs(plan as Plan, options);
}

/** What has views but no runner is no plan of ours. */
function noMapPlan(plan: unknown): TilewiseError {
  const found = inWords(plan);
  const text = `run() takes a plan, as planMap() makes it; it was given ${found}`;
  return new TilewiseError("invalid", text, { option: "plan", found });
}

/** Runs over cubes are loaded with the first one. */
async function runOverCube(plan: CubePlan | Hypercube, options: CubeRunOptions): Promise<CubeReport> {
  const { runCube } = await import("./hypercube/run/run_cube.ts");
  return await runCube("run()", plan, options);
}
