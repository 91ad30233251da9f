/**
 * The public part of a plan: what it will read, hold and give, and why. Tiles, partitions, buffers and masks are in
 * `plan_facts.ts`; calls that are given a plan check it and then use that type.
 *
 * @module
 */

import type { Backend } from "../../dataset/backend.ts";
import type { Dataset } from "../../dataset/face.ts";
import type { Roi } from "../../dataset/roi/roi.ts";
import type { AnyPlan } from "../../runner/plan.ts";
import type { DType } from "../../space/dtype.ts";
import type { PlanTypes } from "../interface/buffer_types.ts";
import type { Method } from "../interface/udf.ts";
import type { UdfTypes } from "../interface/udf_ref.ts";
import type { UdfInput } from "./given.ts";
import { plan as planInside, type PlanOptions } from "./plan.ts";
import type { MemoryForecast } from "./plan_facts.ts";

/**
 * One UDF of a plan.
 * @category Runs
 */
export interface PlannedUdf {
  /** Key of its results. */
  readonly key: string;
  /** The form in which it gets its tiles. */
  readonly backend: Backend;
  /** Which of its methods runs. */
  readonly method: Method;
}

/**
 * A planned run: no frame has been read yet, and the memory it will need is known.
 * @category Runs
 */
export interface Plan<R extends PlanTypes = PlanTypes> extends AnyPlan {
  /** The dtypes of its results, used by the compiler only: it is never set. */
  readonly resultTypes?: R;
  /** The data set that is read. */
  readonly dataset: Dataset;
  /** The UDFs that are computed. */
  readonly udfs: readonly PlannedUdf[];
  /** The region of interest. */
  readonly roi: Roi;
  /** Warnings about partitions and UDFs. */
  readonly warnings: readonly string[];
  /** Type of samples after corrections. */
  readonly nativeDType: DType;
  /** All memory that the run will hold. */
  readonly memory: MemoryForecast;
  /** Bytes that will be read from the source. */
  readonly bytesToRead: number;
}

/**
 * Plans a run of `udfs` over `dataset`; the results will have the same keys. A UDF that is given as an object runs on
 * the calling thread, as if wrapped in `udf()`. No frame is read, only corrections that come with the data set.
 *
 * Errors: `invalid` (a region or correction that does not fit), `udf` (a UDF that cannot be loaded or declares
 * impossible buffers), `over-budget` (the sum does not fit the memory of the context).
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
  return planInside(dataset, udfs, options);
}
