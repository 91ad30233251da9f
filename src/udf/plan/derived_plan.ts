/**
 * What derived results declare, checked and counted.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { blockBytes } from "../../memory/slab.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import { resultPlans } from "../buffers/buffers.ts";
import { checkBuffer, declaredEntries } from "../buffers/declarations.ts";
import type { Derivation } from "../interface/derivation.ts";
import { guarded } from "../interface/guard.ts";
import type { BufferSpec, Udf, UdfMeta } from "../interface/udf.ts";

/**
 * Derived results that know their data.
 * @category User-defined functions
 */
export interface PlannedDerivation {
  /** What was asked for. */
  readonly derivation: Derivation;
  /** What it declares. */
  readonly declared: readonly (readonly [name: string, spec: BufferSpec])[];
  /** The declared arrays of numbers. */
  readonly numbers: readonly BufferPlan[];
  /** The declared results of JSON values. */
  readonly objects: readonly ObjectPlan[];
}

/** Asks what the derived results of `udf` are. */
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
    checkBuffer({ ...udf, results: () => ({}) }, name, own);
    return [name, own] as [string, BufferSpec];
  });
  return { derivation, declared, ...resultPlans(declared) };
}

/** Bytes of declared results on the heap; `rows` says how many entries one has. */
export function derivedBytes(
  derivations: readonly PlannedDerivation[],
  rows: (plan: BufferPlan) => number,
): number {
  const plans = derivations.flatMap(({ numbers }) => numbers);
  return plans.reduce((sum, plan) => sum + blockBytes(plan.dtype, plan.entry * rows(plan)), 0);
}
