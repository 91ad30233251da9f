/**
 * Expressions as graphs of operations: equal parts exist once, and constants are folded while the graph is built.
 *
 * Only rewrites that preserve every bit are made: `x * 1`, `x - 0`, `x / 8` as `x * 0.125`, a choice whose condition is
 * known, and operations on constants.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import { cosine, sine } from "../../space/functions/functions.ts";
import { bitsOf, type FloatFacts, FLOATS, fromBits, type Precision } from "./precision.ts";

// The operations to which expressions are lowered, and their plain meaning: the effect on one lane of a vector.
//
// Values are numbers of the type of the computation, truth values (1 or 0 here; all bits or no bits in a vector), or
// bits (of a number, as an integer). Every operation on numbers is rounded once, so that a vector, a single lane and
// this file give the same result. `sine` and `cosine` are functions of `space/functions/functions.ts`: a vector calls them where a lane is
// larger than {@link LARGEST_ANGLE}, and has any number elsewhere.

/** The kind of a value. */
type ValueKind = "number" | "truth" | "bits";

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
function kindOf(name: OperationName | LeafName): ValueKind {
  if (["eq", "ne", "lt", "le", "gt", "ge", "both", "either", "not"].includes(name)) return "truth";
  if (["bits", "mask", "iadd", "isub", "iand", "ior", "shl", "shr"].includes(name)) return "bits";
  return "number";
}

/** Computes one operation. */
type Operation = (a: Lane, b: Lane, c: Lane) => Lane;

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
function nearest(value: number): number {
  const size = Math.abs(value);
  if (!(size < 2 ** 52)) return value;
  const whole = size + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -whole : whole;
}

/** How often a value changes: never within a call, from pixel to pixel, from sample to sample. */
type Variation = 0 | 1 | 2;

/** One value. */
export interface Value {
  /** Its number; operands have smaller numbers. */
  readonly id: number;
  /** The operation that makes it, or the kind of leaf. */
  readonly name: OperationName | LeafName;
  /** Its kind. */
  readonly kind: ValueKind;
  /** The values from which it is computed. */
  readonly operands: readonly Value[];
  /** For parameters, arrays and inputs: the index. For shifts: the number of bits. */
  readonly index: number;
  /** The number of a constant. */
  readonly constant?: Lane;
  /** How often it changes. */
  readonly variation: Variation;
}

/** Largest number of values of a graph. */
const MAX_VALUES = 6000;

/** A graph under construction. */
export class Graph {
  /** The facts of the type of its numbers. */
  readonly facts: FloatFacts;
  /** Every value, operands first. */
  readonly values: Value[] = [];
  readonly #known = new Map<string, Value>();

  /** An empty graph of numbers of `precision`. */
  constructor(readonly precision: Precision) {
    this.facts = FLOATS[precision];
  }

  /** A number, rounded to the type. */
  constant(value: number): Value {
    const rounded = this.facts.round(value);
    const key = Object.is(rounded, -0) ? "-0" : String(rounded);
    return this.#value(`constant ${key}`, "constant", [], 0, rounded);
  }

  /** A bit pattern. */
  mask(bits: bigint): Value {
    return this.#value(`mask ${bits}`, "mask", [], 0, BigInt.asUintN(this.facts.bits, bits));
  }

  /** A value from outside. */
  leaf(name: Exclude<LeafName, "constant" | "mask">, index = 0): Value {
    return this.#value(`${name} ${index}`, name, [], index);
  }

  /** The result of an operation. */
  op(name: OperationName, ...operands: Value[]): Value {
    return simpler(this, name, operands) ?? this.#made(name, operands, 0);
  }

  /** The bits of a value, shifted left (`shl`) or right (`shr`). */
  shift(name: "shl" | "shr", value: Value, amount: number): Value {
    return this.#made(name, [value], amount);
  }

  #made(name: OperationName, operands: readonly Value[], index: number): Value {
    if (operands.every(({ constant }) => constant !== undefined)) {
      const [a = 0, b = 0, c = 0] = operands.map(({ constant }) => constant!);
      const result = operation(name, this.precision, index)(a, b, c);
      if (typeof result === "bigint") return this.mask(result);
      if (kindOf(name) === "number") return this.constant(result);
      const key = `truth ${result}`;
      return this.#value(key, "constant", [], 0, result, "truth");
    }
    return this.#value(`${name} ${index} ${operands.map(({ id }) => id)}`, name, operands, index);
  }

  #value(
    key: string,
    name: OperationName | LeafName,
    operands: readonly Value[],
    index: number,
    constant?: Lane,
    kind = kindOf(name),
  ): Value {
    const known = this.#known.get(key);
    if (known) return known;
    if (this.values.length >= MAX_VALUES) {
      const text = `Cannot compile the expression: it has more than ${MAX_VALUES} operations; split it`;
      throw new TilewiseError("invalid", text, { expected: MAX_VALUES });
    }
    const own = { sample: 2, array: 1, row: 1, col: 1 }[name as string] ?? 0;
    const variation = Math.max(own, ...operands.map((operand) => operand.variation)) as Variation;
    const id = this.values.length;
    const value: Value = {
      id,
      name,
      kind,
      operands,
      index,
      variation,
      ...defined({ constant }),
    };
    this.values.push(value);
    this.#known.set(key, value);
    return value;
  }
}

/** An equal value that costs less, if there is one. */
function simpler(graph: Graph, name: OperationName, [a, b, c]: readonly Value[]): Value | undefined {
  const right = b?.constant;
  if (name === "mul") return right === 1 ? a : a!.constant === 1 ? b : undefined;
  if (name === "div" && typeof right === "number") {
    if (right === 1) return a;
    const inverse = 1 / right;
    return isPowerOfTwo(right, graph) && isPowerOfTwo(inverse, graph)
      ? graph.op("mul", a!, graph.constant(inverse))
      : undefined;
  }
  if (name === "sub") return Object.is(right, 0) ? a : undefined;
  if (name === "add") return Object.is(right, -0) ? a : undefined;
  if (name === "neg") return a!.name === "neg" ? a!.operands[0] : undefined;
  if (name === "not") return a!.name === "not" ? a!.operands[0] : undefined;
  if (name === "abs") return a!.name === "abs" ? a : undefined;
  if (name === "select") return a!.constant !== undefined ? (a!.constant ? b : c) : b === c ? b : undefined;
  if (name === "both" || name === "either") return combined(name, a!, b!);
  return undefined;
}

function combined(name: "both" | "either", a: Value, b: Value): Value | undefined {
  if (a === b) return a;
  const [known, other] = a.constant !== undefined ? [a, b] : [b, a];
  if (known.constant === undefined) return undefined;
  return (known.constant === 1) === (name === "both") ? other : known;
}

/** Whether `value` is a normal power of two: then multiplying by its inverse is as exact as dividing. */
function isPowerOfTwo(value: number, { facts }: Graph): boolean {
  const size = Math.abs(value);
  return size >= facts.tiny && size <= 1 / facts.tiny && Number.isInteger(Math.log2(size)) &&
    2 ** Math.log2(size) === size;
}

/** The values that `roots` need, operands first. */
export function needed(graph: Graph, roots: readonly Value[]): Value[] {
  const wanted = new Uint8Array(graph.values.length);
  for (const { id } of roots) wanted[id] = 1;
  for (let id = graph.values.length - 1; id >= 0; id--) {
    if (wanted[id]) { for (const operand of graph.values[id]!.operands) wanted[operand.id] = 1; }
  }
  return graph.values.filter(({ id }) => wanted[id]);
}
