/**
 * Runs any plan, in the context that it was made for.
 *
 * @module
 */

import type { CubePlan } from "./hypercube/budget.ts";
import { solve, type SolveOptions } from "./hypercube/solve.ts";
import type { PlanTypes } from "./udf/interface/buffer_types.ts";
import type { Plan } from "./udf/plan/face.ts";
import { type Run, run as runUdfs, type RunOptions } from "./udf/run/run.ts";
import type { FilterPlan } from "./views/filter_plan.ts";
import type { FilterRunOptions } from "./views/map.ts";
import { FilterRun } from "./views/whole.ts";

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
 * Runs a filter: await it for the image, or iterate over its bands, whole rows that are valid until the next one is asked
 * for. Errors: those of {@link boxFilter}.
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { arrayOf, planBoxFilter } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open(Uint8Array.of(3, 6, 9, 12), { format: "raw", dtype: "uint8", nav: [], sig: [1, 4] });
 * await using context = createContext({ workers: 0 });
 * const { data } = await run(planBoxFilter(arrayOf(image), { radius: [0, 1], context }));
 * assertEquals([...data], [4, 6, 9, 11]);
 * ```
 */
export function run(plan: FilterPlan, options?: FilterRunOptions): FilterRun;
/** Solves a cube: resolves when its sinks have taken all tiles. Errors: those of {@link solve}. */
export function run(plan: CubePlan, options: SolveOptions): Promise<void>;
export function run(
  plan: Plan | FilterPlan | CubePlan,
  options: object = {},
): Run | FilterRun | Promise<void> {
  const { views, cube } = (plan ?? {}) as Partial<FilterPlan & CubePlan>;
  if (views) return new FilterRun(plan as FilterPlan, options);
  if (cube) return solve(plan as CubePlan, options as SolveOptions);
  return runUdfs(plan as Plan, options);
}
