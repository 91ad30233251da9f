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

import "../threads.ts";

export * from "../errors.ts";
export { inlineExecutor } from "../executor/inline.ts";
export { type StartUp, type WorkerPool, workerPool, type WorkerPoolOptions } from "../executor/pool/pool.ts";
export {
  type ProcessExecutor,
  processExecutor,
  type ProcessExecutorOptions,
} from "../executor/process/executor.ts";
export { type ProcessPermissions } from "../executor/process/grants.ts";
export type {
  Executor,
  Job,
  JobFactory,
  JobHandler,
  Stretch,
  TaskOptions,
  TaskResult,
  TaskRun,
  TaskTraffic,
  Traffic,
  WorkerContext,
} from "../executor/task.ts";
export { useWorker } from "../executor/threads.ts";
export {
  type AnyJob,
  type Launch,
  launch,
  type LaunchOptions,
  type SharedOf,
  type TaskOf,
  type TaskProgress,
  type TaskResultOf,
} from "../runner/launch.ts";
export type { Holding, MemoryAccount } from "../memory/account.ts";
export type { ContextOptions } from "../runner/context.ts";
export { type Context, createContext, defaultContext } from "../runner/face.ts";
export type { AnyPlan } from "../runner/plan.ts";
export type { RunSettings } from "../runner/runner.ts";
export type { TileProgress } from "../runner/tiles.ts";
export { run } from "../run.ts";
export type { PlanProgress } from "../udf/interface/making.ts";
export type { CorrectionsInput } from "../udf/plan/corrections.ts";
export { type Plan, plan, type PlannedUdf } from "../udf/plan/face.ts";
export type { PlanOptions } from "../udf/plan/plan.ts";
export type { MemoryForecast } from "../udf/plan/plan_facts.ts";
export type { PrepareOptions } from "../udf/plan/prepare.ts";
export type { Progress } from "../udf/run/progress.ts";
export { dryRun, type Run, type RunOptions } from "../udf/run/run.ts";
export type { PartialResults } from "../udf/run/run_state.ts";
export type { ParamPatches } from "../udf/run/versions.ts";
export { VERSION } from "../version.ts";
