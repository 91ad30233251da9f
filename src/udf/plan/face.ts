/**
 * What users see of a plan of UDFs: what it will read, hold and give, and why. Tiles, partitions, buffers and masks are in
 * `plan_facts.ts`; calls that are given a plan find them there once they have checked it.
 *
 * @module
 */

import type { Backend } from "../../dataset/backend.ts";
import type { Dataset } from "../../dataset/face.ts";
import type { Roi } from "../../dataset/roi/roi.ts";
import type { Context } from "../../runner/face.ts";
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
  /** What its results are called. */
  readonly key: string;
  /** In which form it gets its tiles. */
  readonly backend: Backend;
  /** Which of its methods runs. */
  readonly method: Method;
}

/**
 * A run, planned: no frame has been read yet, and what it will need is known.
 * @category Runs
 */
export interface Plan<R extends PlanTypes = PlanTypes> {
  /** The dtypes of its results, for the compiler alone: it is never set. */
  readonly resultTypes?: R;
  /** What is read. */
  readonly dataset: Dataset;
  /** What is computed. */
  readonly udfs: readonly PlannedUdf[];
  /** The region of interest. */
  readonly roi: Roi;
  /** What the user should know of the partitions and the UDFs. */
  readonly warnings: readonly string[];
  /** Type of samples after corrections. */
  readonly nativeDType: DType;
  /** Every byte the run will hold. */
  readonly memory: MemoryForecast;
  /** Bytes that will be read from the source. */
  readonly bytesToRead: number;
  /** Most bytes the run will hold in buffers and results. */
  readonly peakBytes: number;
  /** Where it will run. */
  readonly context: Context;
  /** The plan in words: shapes, bytes, memory, and the reason of each decision. */
  explain(): string;
}

/**
 * Plans the run of `udfs` over `dataset`; the results will have the same keys. A UDF that is no reference runs on the
 * calling thread, as with `udf()` around it. No frame is read, only corrections that come with the data set.
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
