/**
 * What the results of a plan will say of themselves, before the run.
 *
 * @module
 */

import { type AxisFacts, usualValues, type ValueFacts } from "../../space/axes.ts";
import { axisInWords } from "../../space/meaning/axes.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import { valuesInWords } from "../../space/meaning/values.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { axesOfResult, shapeOfResult } from "./results.ts";

/** One result. */
interface PlannedResult {
  /** Key of its UDF. */
  readonly udf: string;
  /** Its name. */
  readonly result: string;
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its numbers. */
  readonly dtype: DType;
  /** What its dimensions are. */
  readonly axes: readonly AxisFacts[];
  /** What its numbers mean. */
  readonly values: ValueFacts;
}

/** The arrays that a plan declares. */
export function plannedResults(plan: UdfPlan): PlannedResult[] {
  return plan.udfs.flatMap(({ key, udf, meta, derivations, meanings }) => {
    const declared = [...declaredBuffers(udf, meta), ...derivations.flatMap(({ declared }) => declared)];
    return declared.flatMap(
      ([result, { kind, dtype = "float32", use, extraShape = [], compressed = false }]) => {
        if (use === "private" || dtype === "object") return [];
        const meaning = meanings[result] ?? {};
        const buffer = { kind, compressed, extraShape };
        const axes = axesOfResult(plan, buffer, meaning), shape = shapeOfResult(plan, buffer);
        return [{ udf: key, result, shape, dtype, axes, values: meaning.values ?? usualValues(dtype) }];
      },
    );
  });
}

/** A result in one line. */
export function resultInWords({ udf, result, axes, values }: PlannedResult): string {
  const along = axes.map((axis, d) => `${axis.name ?? d}${axisInWords(axis)}`).join("; ");
  const words = [valuesInWords(values), along && `along ${along}`].filter(Boolean).join(" ");
  return `result     ${udf}.${result}: ${words || "one number"}`;
}
