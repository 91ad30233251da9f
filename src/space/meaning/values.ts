/**
 * What results mean, from what samples mean.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type AxisFacts, factsOf, usualValues, type ValueFacts, type ValueRule } from "../axes.ts";
import type { DType } from "../dtype.ts";
import { powerOf } from "./units.ts";

/**
 * What results of type `dtype` mean that are made by `rule` of samples that mean `given`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const given = { kind: "amount", unit: "e-", missing: -1 } as const;
 * assertEquals(valuesBy("same", given, "uint16"), given);
 * assertEquals(valuesBy("sums", given, "float64"), { kind: "amount", unit: "e-" });
 * assertEquals(valuesBy("squares", given, "float64"), { kind: "amount", unit: "e-²" });
 * assertEquals(valuesBy("sums", { kind: "label" }, "float64"), { kind: "amount" });
 * ```
 */
export function valuesBy(rule: ValueRule, given: ValueFacts, dtype: DType): ValueFacts {
  if (typeof rule === "object") return rule;
  if (rule === "same") return given;
  const usual = usualValues(dtype);
  if (rule === "unknown" || usual.kind === "mask") return usual;
  const kind = rule === "sums" && given.kind === "vector" ? "vector" : usual.kind;
  const unit = rule === "sums" || given.unit === undefined ? given.unit : powerOf(given.unit, 2);
  return { kind, ...defined({ unit }) };
}

/** Whether this is what the type says already. */
export function isUsual(values: ValueFacts, dtype: DType): boolean {
  return values.kind === usualValues(dtype).kind && Object.keys(values).length === 1;
}

/** What an array says of itself, for records of it: axes of which something is known, and what its values mean. */
export function toldOf(
  { axes = [], values, dtype }: {
    readonly axes?: readonly AxisFacts[] | undefined;
    readonly values?: ValueFacts | undefined;
    readonly dtype: DType;
  },
): { readonly axes?: readonly AxisFacts[]; readonly values: ValueFacts } {
  const isKnown = axes.some((axis) => Object.keys(axis).length > 0);
  return { ...(isKnown ? { axes: axes.map(factsOf) } : {}), values: values ?? usualValues(dtype) };
}

/** What values are called in text; amounts, masks and complex numbers are seen from their type. */
const CALLED: Readonly<Partial<Record<ValueFacts["kind"], string>>> = {
  label: "labels of regions",
  phase: "phases",
  vector: "vectors",
};

/**
 * What values mean, in words; an empty text where there is nothing to say.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(valuesInWords({ kind: "vector", unit: "mrad" }), "vectors in mrad");
 * assertEquals(valuesInWords({ kind: "amount", unit: "K", missing: -1 }), "in K, -1 where one is missing");
 * assertEquals(valuesInWords({ kind: "amount" }), "");
 * ```
 */
export function valuesInWords({ kind, unit, missing }: ValueFacts): string {
  const what = [CALLED[kind], unit && `in ${unit}`].filter(Boolean).join(" ");
  return [what, missing === undefined ? "" : `${missing} where one is missing`].filter(Boolean).join(", ");
}
