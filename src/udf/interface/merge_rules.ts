/**
 * The rules by which two partial results are merged, for buffers that need no merge function of their own.
 *
 * - `sum`: numbers are added; truth values are true if at least one of the two is, as in NumPy. Integers wrap around,
 *   as in NumPy and in typed arrays.
 * - `min`, `max`: the smaller or the greater of two real numbers; NaN stays NaN, as in `numpy.minimum`.
 * - `concat`: lists of object buffers are joined, in the order of frames.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { type DType, dtypeInfo, isExact, type TypedArray } from "../../space/dtype.ts";
import { joinNumbers, NUMBER_RULES, type NumberRule } from "../../space/numbers.ts";
import type { JsonValue } from "./objects.ts";

/**
 * How two partial results of a buffer are merged.
 * @category User-defined functions
 */
export type MergeRule = "sum" | "min" | "max" | "concat";

export { identityOf, NUMBER_RULES, type NumberRule } from "../../space/numbers.ts";

/** Why a rule does not fit a buffer of this type, as half a sentence; undefined if it fits. */
export function ruleProblem(rule: MergeRule, dtype: DType | "object"): string | undefined {
  if (![...NUMBER_RULES, "concat"].includes(rule)) {
    return `has merge ${JSON.stringify(rule)}; it can be sum, min, max or, for lists, concat`;
  }
  if (dtype === "object") {
    return rule === "concat" ? undefined : `has merge "${rule}", but JSON values are only merged by concat`;
  }
  if (rule === "concat") return `has merge "concat", which is for lists in object buffers, not for ${dtype}`;
  if (rule === "sum" || dtypeInfo(dtype).kind !== "c") return undefined;
  return `has merge "${rule}", but complex numbers have no order; they can only be merged by sum`;
}

/** Whether the rule gives the same bits in any order of partial results. */
export function isExactRule(rule: MergeRule, dtype: DType | "object"): boolean {
  return rule !== "sum" || dtype !== "object" && isExact(dtype);
}

/** Merges `from` into `into`, number by number; with kernels if both lie in their memory. */
export function mergeNumbers(
  rule: NumberRule,
  dtype: DType,
  into: TypedArray,
  from: TypedArray,
  kernels?: Kernels,
): void {
  if (kernels && rule === "sum" && into instanceof Float64Array) {
    kernels.exports.add_f64(into.byteOffset, from.byteOffset, into.length);
  } else joinNumbers(rule, dtype, into, from);
}

/** The lists of two values of the object buffer `name`, joined; `null` counts as an empty list. */
export function concatenated(name: string, first: JsonValue, second: JsonValue): JsonValue {
  for (const value of [first, second]) {
    if (value === null || Array.isArray(value)) continue;
    const found = JSON.stringify(value);
    const text = `the object buffer "${name}" is merged by concat, so it holds lists or null, not ${
      found.length > 40 ? `${found.slice(0, 40)}…` : found
    }`;
    throw new TilewiseError("udf", text, { expected: "list", found: typeof value });
  }
  if (first === null || second === null) return first ?? second;
  return [...first as JsonValue[], ...second as JsonValue[]];
}
