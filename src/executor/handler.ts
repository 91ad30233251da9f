/**
 * From a job to its handler: loads the module, checks the export, calls it.
 *
 * Modules of jobs that come with Tilewise are known by name, because bundles have no modules at URLs. The code that makes a
 * job registers how to load its module on its own thread; the entry of workers registers all of these modules.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { usersCodeComes } from "./exits.ts";
import { jobError } from "./failure.ts";
import type { Job, JobFactory, JobHandler, WorkerContext } from "./task.ts";

/** Loads the module of a job; a plain `import("…")`, which bundlers follow. */
type LoadModule = () => Promise<object>;

const MODULES = new Map<string, LoadModule>();

/** Registers modules of jobs on this thread, by name. */
export function registerJobs(modules: Readonly<Record<string, LoadModule>>): void {
  for (const [name, load] of Object.entries(modules)) MODULES.set(name, load);
}

/** The handler of `job` on one worker. Errors: `udf`, naming module and export; or what the export threw. */
export async function makeHandler<S, T, R>(job: Job<S>, worker: WorkerContext): Promise<JobHandler<T, R>> {
  const factory = await loadExport<JobFactory<S, T, R>>(job);
  const handler = await call(job, () => factory(job.shared, worker));
  if (typeof handler?.run !== "function") {
    throw jobError(job, "what it returns has no method run(task)");
  }
  return handler;
}

/** The module of `job`: by its name if this thread knows it, otherwise by its URL. */
async function jobModule({ name, module }: Pick<Job<unknown>, "name" | "module">): Promise<object> {
  const load = name === undefined ? undefined : MODULES.get(name);
  if (!name?.startsWith("tilewise:")) usersCodeComes();
  return await (load ? load() : import(module));
}

/** The export of a job, which must be a function. Errors: `udf`, naming module and export. */
export async function loadExport<F>(job: Job<unknown>): Promise<F> {
  let module: Record<string, unknown>;
  try {
    module = await jobModule(job) as Record<string, unknown>;
  } catch (error) {
    throw jobError(job, `the module cannot be loaded: ${reasonOf(error)}`, error);
  }
  const found = module[job.export];
  if (typeof found === "function") return found as F;
  const exported = Object.keys(module).join(", ") || "nothing";
  throw jobError(job, `it is ${typeof found}, not a function; the module exports ${exported}`);
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
