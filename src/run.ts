/**
 * Runs any plan, in the context that it was made for.
 *
 * @module
 */

import { TilewiseError } from "./errors.ts";
import type { CubePlan } from "./hypercube/plan/budget.ts";
import type { CubeReport } from "./hypercube/run/report.ts";
import type { SolveOptions } from "./hypercube/run/options.ts";
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
/** Solves a cube: resolves with a report when its sinks have taken all tiles. Errors: those of {@link solve}. */
export function run(plan: CubePlan, options: SolveOptions): Promise<CubeReport>;
export function run(
  plan: Plan | MapPlan | CubePlan,
  options: object = {},
): Run | MapRun | Promise<void> | Promise<CubeReport> {
  const own = ownRunner(plan);
  if (own) return own(plan, options) as MapRun | Promise<void>;
  const { views, cube } = (plan ?? {}) as Partial<MapPlan & CubePlan>;
  if (views) throw noMapPlan(plan);
  if (cube) return runOverCube(plan as CubePlan, options as SolveOptions);
  return runUdfs(plan as Plan, options);
}

/** What has views but no runner is no plan of ours. */
function noMapPlan(plan: unknown): TilewiseError {
  const found = inWords(plan);
  const text = `run() takes a plan, as planMap() makes it; it was given ${found}`;
  return new TilewiseError("invalid", text, { option: "plan", found });
}

/** Runs over cubes are loaded with the first one. */
async function runOverCube(plan: CubePlan, options: SolveOptions): Promise<CubeReport> {
  const { runCube } = await import("./hypercube/run/solve.ts");
  return await runCube("run()", plan, options);
}
