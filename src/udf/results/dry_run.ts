/**
 * What is known of results before a run.
 *
 * @module
 */

import type { PlanTypes, Results } from "../interface/buffer_types.ts";
import { checkPlan } from "../plan/given.ts";
import type { Plan } from "../plan/plan_facts.ts";
import { ResultStore } from "./results.ts";

/**
 * The results of a run before the first frame, without reading anything: shapes and dtypes are those of the final
 * results.
 * @category Runs
 */
export function dryRun<R extends PlanTypes>(plan: Plan<R>): Results<R> {
  checkPlan("dryRun()", plan);
  return new ResultStore(plan).results(undefined, true) as Results<R>;
}
