/**
 * What results mean, from what samples mean.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type AxisFacts, factsOf, usualValues, type ValueFacts, type ValueRule } from "../axes.ts";
import type { DType } from "../dtype.ts";
import { sampleInWords } from "./axes.ts";
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
 * const dapi = { kind: "amount", of: [{ kind: "channel", names: ["DAPI"] }] } as const;
 * assertEquals(valuesBy({ kind: "label" }, dapi, "uint32"), { ...dapi, kind: "label" });
 * ```
 */
export function valuesBy(rule: ValueRule, given: ValueFacts, dtype: DType | "object"): ValueFacts {
  const { of } = given, usual = usualValues(dtype);
  if (typeof rule === "object") return { ...defined({ of }), ...rule };
  if (rule === "same") return given;
  if (rule === "unknown" || usual.kind === "mask") return { ...usual, ...defined({ of }) };
  const kind = rule === "sums" && given.kind === "vector" ? "vector" : usual.kind;
  const unit = rule === "sums" || given.unit === undefined ? given.unit : powerOf(given.unit, 2);
  return { kind, ...defined({ unit, of }) };
}

/** Whether this is what the type says already. */
export function isUsual(values: ValueFacts, dtype: DType | "object"): boolean {
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
 * assertEquals(valuesInWords({ kind: "amount", of: [{ name: "t", offset: 6, unit: "s" }] }), "of t 6 s");
 * assertEquals(valuesInWords({ kind: "amount" }), "");
 * ```
 */
export function valuesInWords({ kind, unit, missing, of = [] }: ValueFacts): string {
  const what = [CALLED[kind], unit && `in ${unit}`, ...of.map(placeInWords)].filter(Boolean).join(" ");
  return [what, missing === undefined ? "" : `${missing} where one is missing`].filter(Boolean).join(", ");
}

function placeInWords(axis: AxisFacts): string {
  const place = sampleInWords(axis);
  return place === "" ? "" : `of ${axis.name ?? axis.kind} ${place}`;
}

/** Whether two facts say the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * What samples of type `dtype` mean that are made of those of several arrays: what all say; they are of what all are of.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = { kind: "time", offset: 6, unit: "s" } as const;
 * const all = ["DAPI", "GFP"].map((name) => {
 *   return { kind: "amount", unit: "e-", of: [time, { kind: "channel", names: [name] }] } as const;
 * });
 * assertEquals(valuesOfAll(all, "uint16"), { kind: "amount", unit: "e-", of: [time] });
 * ```
 */
export function valuesOfAll(
  [first = { kind: "amount" }, ...others]: readonly ValueFacts[],
  dtype: DType,
): ValueFacts {
  const { of: all = [], ...said } = first;
  const shared = others.every(({ of: _, ...other }) => isSame(other, said)) ? said : usualValues(dtype);
  const of = all.filter((axis) => others.every((other) => other.of?.some((one) => isSame(one, axis))));
  return { ...shared, ...(of.length > 0 ? { of } : {}) };
}
