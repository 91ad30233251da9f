/**
 * What the results of a plan run along: the scan, the frame, or neither.
 *
 * @module
 */

import { declaredBuffers } from "../udf/buffers/buffers.ts";
import { checkPlan } from "../udf/plan/given.ts";
import type { Plan } from "../udf/plan/plan_facts.ts";

/** What the first dimensions of a result are: those of the scan, those of the frame, or others. */
export type ResultKind = "scan" | "frame" | "other";

const KINDS = { nav: "scan", sig: "frame", single: "other" } as const;

/** The kinds of the results of UDF `key` by name, as far as the UDF declares them. */
export function resultKinds(plan: Plan, key: string): Readonly<Record<string, ResultKind>> {
  checkPlan("resultKinds()", plan);
  const planned = plan.udfs.find((one) => one.key === key);
  if (!planned) return {};
  const own = declaredBuffers(planned.udf, planned.meta);
  const derived = planned.derivations.flatMap(({ declared }) => declared);
  return Object.fromEntries(
    [...own, ...derived].map(([name, { kind, compressed }]) =>
      [name, kind === "nav" && compressed ? "other" : KINDS[kind]] as const
    ),
  );
}
