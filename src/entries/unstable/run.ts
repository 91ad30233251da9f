/**
 * The rest of runs: executors, jobs of your own, errors between threads, accounts of memory.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example A run in processes
 * ```ts
 * import { createContext, open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { processExecutor } from "@tilewise/tilewise/unstable/run";
 * import { assertEquals } from "@std/assert";
 *
 * await using executor = processExecutor({ workers: 1 });
 * await using context = createContext({ executor });
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { bright } = await run(await plan(scan, { bright: sumPixels() }, { context }));
 * assertEquals([...bright.intensity.data], [3, 7]);
 * ```
 *
 * @module
 */

export {
  type StartUp,
  type WorkerPool,
  workerPool,
  type WorkerPoolOptions,
} from "../../executor/pool/pool.ts";
export {
  type ProcessExecutor,
  processExecutor,
  type ProcessExecutorOptions,
} from "../../executor/process/executor.ts";
export type { ProcessPermissions } from "../../executor/process/grants.ts";
export type {
  Executor,
  Job,
  JobFactory,
  JobHandler,
  MemoryRows,
  TaskOptions,
  TaskResult,
  TaskRun,
  TaskTraffic,
  Traffic,
  WorkerContext,
} from "../../executor/task.ts";
export {
  type AnyJob,
  type Launch,
  launch,
  type LaunchOptions,
  type SharedOf,
  type TaskOf,
  type TaskProgress,
  type TaskResultOf,
} from "../../runner/launch.ts";
export type { Holding, MemoryAccount } from "../../memory/account.ts";
export type { Planned } from "../../runner/plan.ts";
export type { RunSettings } from "../../runner/runner.ts";
export type { TileProgress } from "../../runner/progress.ts";
export type { CorrectionsInput } from "../../udf/plan/corrections.ts";
export type { PrepareOptions } from "../../udf/plan/prepare.ts";
export { dryRun } from "../../udf/results/dry_run.ts";
export type { ParamPatches } from "../../udf/plan/plan_facts.ts";
