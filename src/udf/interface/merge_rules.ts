/**
 * The rules by which two partial results become one, for buffers that need no function of their own for it.
 *
 * - `sum`: numbers are added; truth values are true where one of both is, as NumPy adds them. Integers wrap around, as they
 *   do in NumPy and in typed arrays.
 * - `min`, `max`: the lesser or the greater one, of real numbers; a NaN stays NaN, as in `numpy.minimum`.
 * - `concat`: lists one after another, in the order of frames; of object buffers.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { combineInto, isBig } from "../../space/numbers.ts";
import { type DType, dtypeInfo, isExact, type TypedArray } from "../../space/dtype.ts";
import type { JsonValue } from "./objects.ts";

/**
 * How two partial results of a buffer become one.
 * @category User-defined functions
 */
export type MergeRule = "sum" | "min" | "max" | "concat";

/**
 * The rules for numbers.
 * @category User-defined functions
 */
export type NumberRule = Exclude<MergeRule, "concat">;

/** All of them. */
export const NUMBER_RULES: readonly NumberRule[] = ["sum", "min", "max"];

/** What is wrong with a rule for a buffer of this type, as half a sentence; nothing where it fits. */
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

/** What a buffer starts with, so that the first value merged with it stays as it is. */
export function identityOf(rule: NumberRule, dtype: DType): number | bigint {
  const { kind, unitSize } = dtypeInfo(dtype);
  const isWide = dtype === "int64" || dtype === "uint64";
  if (rule === "sum") return isWide ? 0n : 0;
  if (kind === "b") return rule === "min" ? 1 : 0;
  if (kind === "f") return rule === "min" ? Infinity : -Infinity;
  const bits = BigInt(8 * unitSize);
  const [least, most] = kind === "i" ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
  const value = rule === "min" ? most : least;
  return isWide ? value : Number(value);
}

/** Merges `from` into `into`, number by number; with `kernels` where both lie in their memory. */
export function mergeNumbers(
  rule: NumberRule,
  dtype: DType,
  into: TypedArray,
  from: TypedArray,
  kernels?: Kernels,
): void {
  if (kernels && rule === "sum" && into instanceof Float64Array) {
    kernels.exports.add_f64(into.byteOffset, from.byteOffset, into.length);
  } else if (isBig(into) && isBig(from)) {
    for (let i = 0; i < into.length; i++) into[i] = joinBig(rule, into[i]!, from[i]!);
  } else if (!isBig(into) && !isBig(from)) {
    combineInto(into, from, dtype === "bool" && rule === "sum" ? either : JOIN[rule]);
  }
}

/** NaN wins, as it does in WebAssembly. */
const JOIN = { sum: (a: number, b: number) => a + b, min: Math.min, max: Math.max } as const;

function either(a: number, b: number): number {
  return a || b ? 1 : 0;
}

function joinBig(rule: NumberRule, a: bigint, b: bigint): bigint {
  if (rule === "sum") return a + b;
  return (rule === "min") === (a < b) ? a : b;
}

/** Two values of the object buffer `name` one after another; `null` is nothing. */
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
