/**
 * Checks the declarations of derived results and counts their bytes.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { blockBytes } from "../../memory/slab.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import { resultPlans } from "../buffers/buffers.ts";
import { declaredEntries } from "../buffers/declarations.ts";
import { guarded, userRules } from "../interface/guard.ts";
import type { Derivation } from "../interface/derivation.ts";
import type { BufferSpec, Udf, UdfMeta } from "../interface/udf.ts";

/**
 * A derivation whose declarations have been resolved for the data.
 * @category User-defined functions
 */
export interface PlannedDerivation {
  /** The derivation, as given to `derive`. */
  readonly derivation: Derivation;
  /** The declared results. */
  readonly declared: readonly (readonly [name: string, spec: BufferSpec])[];
  /** The declared arrays of numbers. */
  readonly numbers: readonly BufferPlan[];
  /** The declared results of JSON values. */
  readonly objects: readonly ObjectPlan[];
}

/** Resolves what `derivation` declares for the results of `udf`. */
export function planDerivation(udf: Udf, derivation: Derivation, meta: UdfMeta): PlannedDerivation {
  const { buffers = {} } = derivation;
  const given = typeof buffers === "function"
    ? guarded(udf.name, "buffers() of derive()", () => buffers(meta))
    : buffers;
  const declared = declaredEntries<BufferSpec>(udf, "buffers of derive()", given).map(([name, spec]) => {
    const odd = (["use", "merge"] as const).find((key) => spec?.[key] !== undefined);
    if (odd) {
      const text = `UDF "${udf.name}": the derived buffer "${name}" has ${odd}; derive() only makes results`;
      throw new TilewiseError("udf", text, { udf: udf.name, found: odd });
    }
    const own: BufferSpec = typeof spec === "object" && spec !== null ? { ...spec, use: "result" } : spec;
    userRules()?.checkBuffer({ ...udf, results: () => ({}) }, name, own);
    return [name, own] as [string, BufferSpec];
  });
  return { derivation, declared, ...resultPlans(declared) };
}

/** Bytes of declared results on the heap; `rows` gives the number of rows of a result. */
export function derivedBytes(
  derivations: readonly PlannedDerivation[],
  rows: (plan: BufferPlan) => number,
): number {
  const plans = derivations.flatMap(({ numbers }) => numbers);
  return plans.reduce((sum, plan) => sum + blockBytes(plan.dtype, plan.entry * rows(plan)), 0);
}
