/**
 * The buffers of a run as plain data, as they travel to workers, and the rules by which two partial results are merged.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { type DType, dtypeInfo, isExact, type TypedArray } from "../../space/dtype.ts";
import { joinNumbers, NUMBER_RULES, type NumberRule } from "../../space/numbers.ts";
import type { JsonValue } from "./objects.ts";

/**
 * One buffer of one UDF, as plain data.
 * @category User-defined functions
 */
export interface BufferPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Numbers per entry. */
  readonly entry: number;
  /** Shape of one entry; empty for a number. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** Whether the result has one row per selected frame. */
  readonly compressed: boolean;
  /** Bytes from the start of the set; undefined for buffers that only `results` fills. */
  readonly offset?: number;
  /** How partial results are merged, if the buffer has a rule. */
  readonly merge?: NumberRule;
}

/**
 * The buffers of all UDFs of a run.
 * @category User-defined functions
 */
export interface SetPlan {
  /** Per UDF: its buffers of numbers. */
  readonly udfs: readonly (readonly BufferPlan[])[];
  /** Per UDF: its buffers of JSON values, which have no place in memory. */
  readonly objects: readonly (readonly ObjectPlan[])[];
  /** Frames that the nav buffers of a set have room for. */
  readonly frames: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
  /** Bytes of one set. */
  readonly bytes: number;
}

/** What one call of a UDF may see: rows of nav buffers and pixels of sig buffers. */
export interface Window {
  /** First row of the nav buffers. */
  readonly frame: number;
  /** Rows of the nav buffers. */
  readonly frames: number;
  /** First pixel of the sig buffers. */
  readonly pixel: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
}

/**
 * One object buffer of one UDF, as plain data.
 * @category User-defined functions
 */
export interface ObjectPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Values per entry. */
  readonly entry: number;
  /** Shape of one entry; empty for one value. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** Whether the result has one row per selected frame. */
  readonly compressed: boolean;
  /** Whether only `results` fills it. */
  readonly resultOnly: boolean;
  /** How partial results are merged, if the buffer has a rule. */
  readonly merge?: "concat";
}

// The rules by which two partial results are merged, for buffers that need no merge function of their own.
//
// - `sum`: numbers are added; truth values are true if at least one of the two is, as in NumPy. Integers wrap around,
//   as in NumPy and in typed arrays.
// - `min`, `max`: the smaller or the greater of two real numbers; NaN stays NaN, as in `numpy.minimum`.
// - `concat`: lists of object buffers are joined, in the order of frames.

/**
 * How two partial results of a buffer are merged.
 * @category User-defined functions
 */
export type MergeRule = "sum" | "min" | "max" | "concat";

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
