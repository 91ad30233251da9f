/**
 * Runs: contexts, plans, progress, executors (threads and processes), and errors.
 *
 * @example Follow the progress of a run
 * ```ts
 * import { open, sumFrames } from "@tilewise/tilewise";
 * import { createContext, plan, type Progress, run } from "@tilewise/tilewise/run";
 * import { assert, assertEquals } from "@std/assert";
 *
 * await using context = createContext({ memory: "64MiB", workers: 0 });
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const told: Progress[] = [];
 * const planned = await plan(scan, { dp: sumFrames() }, { context });
 * const { dp } = await run(planned, { onProgress: (progress) => told.push(progress) });
 * assertEquals([...dp.intensity.data], [4, 6]);
 * assert(told.length > 0);
 * ```
 *
 * @module
 */

export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorFields,
  isTilewiseError,
  TilewiseError,
} from "../errors.ts";
export { useWorker } from "../executor/threads.ts";
export type { ContextOptions } from "../runner/context.ts";
export { type Context, createContext } from "../runner/context.ts";
export type { AnyPlan } from "../runner/plan.ts";
export { run } from "../run.ts";
export type { PlanProgress } from "../udf/interface/making.ts";
export type { PlannedUdf } from "../udf/plan/plan_udf.ts";
export { plan } from "../udf/run/plan.ts";
export type { MemoryForecast, Plan } from "../udf/plan/plan_facts.ts";
export type { PlanOptions } from "../udf/plan/plan.ts";
export type { PartialResults, Progress, Run, RunOptions } from "../udf/plan/plan_facts.ts";
export { VERSION } from "../version.ts";
