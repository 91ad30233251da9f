/**
 * Numbers in typed arrays of any kind: copied, set and combined where the type of an array is known at run time alone.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type DType, dtypeInfo, type TypedArray } from "./dtype.ts";

/**
 * Whether an array holds bigints.
 * @category Arrays
 */
export function isBig(array: TypedArray): array is BigInt64Array | BigUint64Array {
  return array instanceof BigInt64Array || array instanceof BigUint64Array;
}

/**
 * Typed arrays of numbers: all but those of bigints.
 * @category Arrays
 */
export type NumberArray =
  & ArrayFunctions<NumberArray>
  & Exclude<TypedArray, BigInt64Array | BigUint64Array>;

/**
 * Floats of four or eight bytes.
 * @category Arrays
 */
export type FloatArray = ArrayFunctions<FloatArray> & (Float32Array | Float64Array);

/**
 * What several typed arrays have in common. TypeScript cannot call a function of one array or another where each declares
 * it with several signatures, or with itself as an argument: here they are declared once for all.
 * @category Arrays
 */
export interface ArrayFunctions<A> {
  /** Combines all numbers into one, from the first to the last. */
  reduce(combine: (result: number, value: number, index: number) => number, start?: number): number;
  /** The numbers from `start` to `stop`, in the same memory. */
  subarray(start?: number, stop?: number): A;
  /** A copy of the numbers from `start` to `stop`. */
  slice(start?: number, stop?: number): A;
  /** A new array, with a number for each number. */
  map(change: (value: number, index: number) => number): A;
  /** A new array of the numbers that are wanted. */
  filter(isWanted: (value: number, index: number) => boolean): A;
}

/**
 * The array itself, or, where it holds bigints, a copy of them as numbers: the nearest ones beyond 2^53.
 *
 * @param array any typed array
 * @returns an array of numbers
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...asNumbers(BigInt64Array.of(3n, 4n))], [3, 4]);
 * ```
 * @category Arrays
 */
export function asNumbers(array: TypedArray): NumberArray {
  return isBig(array) ? Float64Array.from(array, Number) : array;
}

/**
 * Copies numbers from one array to another of the same kind, from number `at` on.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const to = new Float32Array(3);
 * copyNumbers(to, Float32Array.of(1, 2), 1);
 * assertEquals([...to], [0, 1, 2]);
 * ```
 * @category Arrays
 */
export function copyNumbers(to: TypedArray, from: TypedArray, at: number = 0): void {
  if (isBig(to) && isBig(from)) to.set(from, at);
  else if (!isBig(to) && !isBig(from)) to.set(from, at);
  else throw new TypeError(`Cannot copy a ${from.constructor.name} to a ${to.constructor.name}`);
}

/** Sets numbers of an array, by default all, to `value`: a bigint in arrays of bigints, a number in others. */
export function fillNumbers(
  array: TypedArray,
  value: number | bigint,
  start?: number,
  stop?: number,
): void {
  if (isBig(array)) array.fill(BigInt(value), start, stop);
  else array.fill(Number(value), start, stop);
}

/** Sets one number of an array: a bigint in arrays of bigints, a number in others. */
export function setNumber(array: TypedArray, at: number, value: number | bigint): void {
  if (isBig(array)) array[at] = BigInt(value);
  else array[at] = Number(value);
}

/** A new array of the same class, with `length` zeros. */
export function zerosLike<A extends TypedArray>(array: A, length: number): A {
  // The class of an array is known at run time alone: its type says only that it is one of those of samples.
  return new (array.constructor as new (length: number) => A)(length);
}

/**
 * Combines each number of `into` with the number of `values` at the same place, and puts the result in its place.
 *
 * @param into the numbers that are changed
 * @param values as many numbers
 * @param combine gives the new number
 * @throws {TilewiseError} `invalid` where they are not of the same length
 *
 * @example The greatest value of every pixel, and sums
 * ```ts
 * import { combineInto } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const most = Float32Array.of(1, 7), sums = Float64Array.of(1, 7), frame = Float32Array.of(4, 5);
 * combineInto(most, frame, Math.max);
 * combineInto(sums, frame, (sum, value) => sum + value);
 * assertEquals([[...most], [...sums]], [[4, 7], [5, 12]]);
 * ```
 * @category Arrays
 */
export function combineInto(
  into: NumberArray,
  values: ArrayLike<number>,
  combine: (before: number, value: number) => number,
): void {
  if (values.length !== into.length) {
    const text = `Cannot combine ${values.length} values with ${into.length} numbers; they must be as many`;
    throw new TilewiseError("invalid", text, { expected: into.length, found: values.length });
  }
  for (let i = 0; i < into.length; i++) into[i] = combine(into[i]!, values[i]!);
}

/** Turns the bytes of each unit of `unit` bytes round, in place: from one byte order to the other. Returns `bytes`. */
export function reverseUnits<T extends Uint8Array>(bytes: T, unit: number): T {
  for (let at = 0; unit > 1 && at < bytes.length; at += unit) bytes.subarray(at, at + unit).reverse();
  return bytes;
}

// The rules by which two partial results of numbers are merged.

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
