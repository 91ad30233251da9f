/**
 * Plans of UDFs, with their run.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import type { UdfInput } from "../plan/given.ts";
import { type PlanOptions, planUdfs, type TypesOf } from "../plan/plan.ts";
import type { UdfTypes } from "../interface/udf_ref.ts";
import type { Plan, UdfPlan } from "../plan/plan_facts.ts";
import { runUdfs } from "./run.ts";

/**
 * Plans a run of `udfs` over `dataset`; the results will have the same keys. A UDF that is given as an object runs on
 * the calling thread, as if wrapped in `udf()`. No frame is read, only corrections that come with the data set.
 *
 * @param dataset what `open` gave
 * @param udfs UDFs by the names that their results will have
 * @param options the context, a region of interest, corrections
 * @returns the plan, which explains itself and is run by `run`
 * @throws {TilewiseError} `invalid` (a region or correction that does not fit), `udf` (a UDF that cannot be loaded or declares
 *   impossible buffers), `over-budget` (the sum does not fit the memory of the context).
 *
 * @example
 * ```ts
 * import { open, plan, sumFrames } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(new Uint8Array(4 * 3 * 2), { format: "raw", dtype: "uint8", nav: [4], sig: [3, 2] });
 * const { bytesToRead } = await plan(scan, { total: sumFrames() });
 * assertEquals(bytesToRead, 24);
 * ```
 * @category Runs
 */
export function plan<U extends Readonly<Record<string, UdfInput>>>(
  dataset: Dataset,
  udfs: U,
  options?: PlanOptions,
): Promise<Plan<{ readonly [K in keyof U & string]: UdfTypes<U[K]> }>> {
  return udfPlan(dataset, udfs, options);
}

/** The same plan with all of its facts. */
export async function udfPlan<U extends Readonly<Record<string, UdfInput>>>(
  dataset: Dataset,
  udfs: U,
  options: PlanOptions = {},
): Promise<UdfPlan<TypesOf<U>>> {
  return await planUdfs(dataset, udfs, options, runUdfs);
}
