/**
 * The rules by which two partial results of numbers are merged.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray } from "./dtype.ts";
import { combineInto, isBig } from "./numbers.ts";

/**
 * The rules for numbers.
 * @category User-defined functions
 */
export type NumberRule = "sum" | "min" | "max";

/** All of {@link NumberRule}. */
export const NUMBER_RULES: readonly NumberRule[] = ["sum", "min", "max"];

/** The start value of a buffer: merging any value with it gives that value. */
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

/** Merges `from` into `into`, number by number. */
export function joinNumbers(rule: NumberRule, dtype: DType, into: TypedArray, from: TypedArray): void {
  if (isBig(into) && isBig(from)) {
    for (let i = 0; i < into.length; i++) into[i] = joinBig(rule, into[i]!, from[i]!);
  } else if (!isBig(into) && !isBig(from)) {
    combineInto(into, from, dtype === "bool" && rule === "sum" ? either : JOIN[rule]);
  }
}

/** Math.min and Math.max return NaN if one argument is NaN, as WebAssembly does. */
const JOIN = { sum: (a: number, b: number) => a + b, min: Math.min, max: Math.max } as const;

function either(a: number, b: number): number {
  return a || b ? 1 : 0;
}

function joinBig(rule: NumberRule, a: bigint, b: bigint): bigint {
  if (rule === "sum") return a + b;
  return (rule === "min") === (a < b) ? a : b;
}
