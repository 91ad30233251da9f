/**
 * Steps from merged buffers to results that few UDFs have; their code is loaded for these.
 *
 * @module
 */

import type { Derivation } from "../interface/derivation.ts";
import type { Udf } from "../interface/udf.ts";

/** The code of these steps, for the UDFs that have them. */
export interface ResultSteps {
  /** Merges the partial results of all partitions at once. */
  readonly mergeAllInto?: typeof import("./merge_all.ts").mergeAllInto;
  /** Makes results of results. */
  readonly derivedResults?: typeof import("./derived_results.ts").derivedResults;
}

/** Loads the steps of a UDF. */
export async function loadSteps(udf: Udf, derived: readonly Derivation[]): Promise<ResultSteps> {
  const steps: { -readonly [S in keyof ResultSteps]: ResultSteps[S] } = {};
  if (mergesAll(udf)) steps.mergeAllInto = (await import("./merge_all.ts")).mergeAllInto;
  if (derived.length > 0) steps.derivedResults = (await import("./derived_results.ts")).derivedResults;
  return steps;
}

/** Whether `mergeAll` makes the results: a UDF with both uses `merge`, which needs less memory. */
export function mergesAll(udf: Udf): boolean {
  return udf.mergeAll !== undefined && !udf.merge;
}
