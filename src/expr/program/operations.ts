/**
 * The operations to which expressions are lowered, and their plain meaning: the effect on one lane of a vector.
 *
 * Values are numbers of the type of the computation, truth values (1 or 0 here; all bits or no bits in a vector), or
 * bits (of a number, as an integer). Every operation on numbers is rounded once, so that a vector, a single lane and
 * this file give the same result. `sine` and `cosine` are functions of `space/functions/functions.ts`: a vector calls them where a lane is
 * larger than {@link LARGEST_ANGLE}, and has any number elsewhere.
 *
 * @module
 */

import { cosine, sine } from "../../space/functions/functions.ts";
import { bitsOf, FLOATS, fromBits, type Precision } from "./precision.ts";

/** The kind of a value. */
export type ValueKind = "number" | "truth" | "bits";

/** One lane. */
export type Lane = number | bigint;

/** The sources of values. `input` is a value that was computed elsewhere. */
export type LeafName =
  | "constant"
  | "mask"
  | "sample"
  | "parameter"
  | "array"
  | "row"
  | "col"
  | "frame"
  | "input";

/** Operations on values. */
export type OperationName =
  | "neg"
  | "abs"
  | "sqrt"
  | "floor"
  | "ceil"
  | "trunc"
  | "nearest"
  | "one"
  | "sine"
  | "cosine"
  | "not"
  | "bits"
  | "unbits"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "min"
  | "max"
  | "lesser"
  | "greater"
  | "eq"
  | "ne"
  | "lt"
  | "le"
  | "gt"
  | "ge"
  | "both"
  | "either"
  | "iadd"
  | "isub"
  | "iand"
  | "ior"
  | "shl"
  | "shr"
  | "select";

/** What kind of value each operation makes. */
export function kindOf(name: OperationName | LeafName): ValueKind {
  if (["eq", "ne", "lt", "le", "gt", "ge", "both", "either", "not"].includes(name)) return "truth";
  if (["bits", "mask", "iadd", "isub", "iand", "ior", "shl", "shr"].includes(name)) return "bits";
  return "number";
}

/** Computes one operation. */
export type Operation = (a: Lane, b: Lane, c: Lane) => Lane;

type Numeric = (a: number, b: number) => number;

/** Largest absolute value of an angle for which expressions have formulas of their own. */
export const LARGEST_ANGLE = { float32: 10000, float64: 1e6 } as const;

const ROUNDED: Readonly<Record<string, Numeric>> = {
  sine,
  cosine,
  sqrt: Math.sqrt,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
};

const EXACT: Readonly<Record<string, Numeric>> = {
  neg: (a) => -a,
  abs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  nearest,
  one: (a) => a,
  min: Math.min,
  max: Math.max,
  lesser: (a, b) => b < a ? b : a, // one instruction, while min takes seven; b is never NaN
  greater: (a, b) => a < b ? b : a,
  eq: (a, b) => a === b ? 1 : 0,
  ne: (a, b) => a !== b ? 1 : 0,
  lt: (a, b) => a < b ? 1 : 0,
  le: (a, b) => a <= b ? 1 : 0,
  gt: (a, b) => a > b ? 1 : 0,
  ge: (a, b) => a >= b ? 1 : 0,
  both: (a, b) => a & b,
  either: (a, b) => a | b,
  not: (a) => 1 - a,
};

type Whole = (a: bigint, b: bigint) => bigint;

const WHOLE: Readonly<Record<string, Whole>> = {
  iadd: (a, b) => a + b,
  isub: (a, b) => a - b,
  iand: (a, b) => a & b,
  ior: (a, b) => a | b,
};

/** The operation for numbers of `precision`; `amount` is the number of bits of a shift. */
export function operation(name: OperationName, precision: Precision, amount = 0): Operation {
  const { round, bits } = FLOATS[precision];
  const wrap = (value: bigint) => BigInt.asUintN(bits, value);
  const rounded = ROUNDED[name], exact = EXACT[name], whole = WHOLE[name];
  if (rounded) return (a, b) => round(rounded(a as number, b as number));
  if (exact) return (a, b) => exact(a as number, b as number);
  if (whole) return (a, b) => wrap(whole(a as bigint, b as bigint));
  switch (name) {
    case "shl":
      return (a) => wrap((a as bigint) << BigInt(amount));
    case "shr":
      return (a) => (a as bigint) >> BigInt(amount);
    case "bits":
      return (a) => bitsOf(a as number, precision);
    case "unbits":
      return (a) => fromBits(a as bigint, precision);
    default:
      return (a, b, c) => a ? b : c; // select
  }
}

/** The nearest integer (halves to even), with the sign of `value`. */
export function nearest(value: number): number {
  const size = Math.abs(value);
  if (!(size < 2 ** 52)) return value;
  const whole = size + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -whole : whole;
}
