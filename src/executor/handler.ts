/**
 * From a job to its handler: loads the module, checks the export, calls it.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { jobError } from "./failure.ts";
import type { Job, JobFactory, JobHandler, WorkerContext } from "./task.ts";

/** The handler of `job` on one worker. Errors: `udf`, naming module and export; or what the export threw. */
export async function makeHandler<S, T, R>(job: Job<S>, worker: WorkerContext): Promise<JobHandler<T, R>> {
  const factory = await loadFactory<S, T, R>(job);
  const handler = await call(job, () => factory(job.shared, worker));
  if (typeof handler?.run !== "function") {
    throw jobError(job, "what it returns has no method run(task)");
  }
  return handler;
}

async function loadFactory<S, T, R>(job: Job<S>): Promise<JobFactory<S, T, R>> {
  let module: Record<string, unknown>;
  try {
    module = await import(job.module);
  } catch (error) {
    throw jobError(job, `the module cannot be loaded: ${reasonOf(error)}`, error);
  }
  const factory = module[job.export];
  if (typeof factory === "function") return factory as JobFactory<S, T, R>;
  const exported = Object.keys(module).join(", ") || "nothing";
  throw jobError(job, `it is ${typeof factory}, not a function; the module exports ${exported}`);
}

async function call<H>(job: Job<unknown>, make: () => H | Promise<H>): Promise<H> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof TilewiseError) throw error;
    const failure = jobError(job, `it threw: ${reasonOf(error)}`, error);
    if (error instanceof Error && error.stack) failure.stack = error.stack;
    throw failure;
  }
}
