/**
 * What is known of results before a run.
 *
 * @module
 */

import type { PlanTypes, Results } from "../interface/buffer_types.ts";
import { notThat } from "../plan/given.ts";
import type { Plan, UdfPlan } from "../plan/plan_facts.ts";
import { ResultStore } from "./results.ts";

/** Refuses what is not a plan, most often a promise of one; afterwards the compiler knows its internal type. */
export function checkPlan(call: string, plan: unknown): asserts plan is UdfPlan {
  const { dataset, udfs, explain } = (plan ?? {}) as Partial<UdfPlan>;
  if (dataset && Array.isArray(udfs) && typeof explain === "function") return;
  throw notThat(call, "a plan, as await plan() gives it", plan);
}

/**
 * The results of a run before the first frame, without reading anything: shapes and dtypes are those of the final
 * results.
 * @category Runs
 */
export function dryRun<R extends PlanTypes>(plan: Plan<R>): Results<R> {
  checkPlan("dryRun()", plan);
  return new ResultStore(plan).results(undefined, true) as Results<R>;
}
