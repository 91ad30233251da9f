/**
 * The numbers that frame functions return: their type and shape, and how they are written to a result buffer.
 *
 * @module
 */

import { denseData } from "../../../sinks/arrays/dense.ts";
import { type DType, dtypeInfo, dtypeOf, resultType, type TypedArray } from "../../../space/dtype.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { setNearest } from "../../../space/cast.ts";
import type { JsonValue } from "../../interface/objects.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { isPromise } from "../../interface/guard.ts";

/**
 * The values that a frame function may return: a number, a truth value, (nested) lists of them, a typed array, an
 * array; any other JSON value makes an object result.
 * @category User-defined functions
 */
export type FrameValue =
  | number
  | bigint
  | boolean
  | TypedArray
  | NDArray
  | JsonValue
  | readonly FrameValue[];

/** Type and shape of a value that consists of numbers. */
export interface ValueSpec {
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its shape; empty for a number. */
  readonly shape: Shape;
}

/** What the caller has fixed of type and shape: values are then converted to it if possible. */
export type GivenSpec = Partial<ValueSpec>;

/** A value as a row of numbers, with its type and shape. */
export interface FlatValue extends ValueSpec {
  /** The numbers in row-major order; complex ones as pairs. */
  readonly numbers: ArrayLike<number | bigint | boolean>;
}

/** `value` as a row of numbers. Throws an error that names the value if it does not consist of numbers. */
export function flatValue(value: unknown): FlatValue {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const numbers = value as TypedArray;
    return { numbers, dtype: dtypeOf(numbers), shape: [numbers.length] };
  }
  if (isArray(value)) return { numbers: denseData(value), dtype: value.dtype, shape: value.shape };
  const shape: number[] = [];
  for (let level = value; Array.isArray(level); level = level[0]) shape.push(level.length);
  const numbers: (number | bigint | boolean)[] = [];
  collect(value, shape, 0, numbers);
  return { numbers, dtype: kindOf(numbers), shape };
}

function isArray(value: unknown): value is NDArray {
  const { data, shape, stride, dtype } = (value ?? {}) as Partial<NDArray>;
  return ArrayBuffer.isView(data) && Array.isArray(shape) && Array.isArray(stride) && dtype !== undefined;
}

function collect(value: unknown, shape: Shape, depth: number, into: (number | bigint | boolean)[]): void {
  if (depth < shape.length && Array.isArray(value)) {
    if (value.length !== shape[depth]) {
      throw new Error(`it returned lists of ${shape[depth]} and of ${value.length} values beside each other`);
    }
    for (const inner of value) collect(inner, shape, depth + 1, into);
  } else if (depth === shape.length && isNumber(value)) into.push(value);
  else throw new Error(`it returned ${nameOf(value)}${depth > 0 ? " in a list" : ""}, which is not a number`);
}

function isNumber(value: unknown): value is number | bigint | boolean {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

/** A value in two words. */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isPromise(value)) return "a promise (it must not be async: promises are not awaited)";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "a list";
  return isPlain(value) ? "an object" : `an instance of ${value.constructor?.name ?? "no class"}`;
}

/** Whether a value is an object without a class, as in JSON. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && !isArray(value);
}

function kindOf(numbers: readonly (number | bigint | boolean)[]): DType {
  if (numbers.length > 0 && numbers.every((n) => typeof n === "boolean")) return "bool";
  const bigs = numbers.filter((n) => typeof n === "bigint").length;
  if (bigs === 0) return "float64";
  if (bigs === numbers.length) return "int64";
  throw new Error("it returned a list of numbers and bigints");
}

/** Writes `value` to `row`, a row of a buffer of `spec`; `given` is the part of `spec` that the caller has fixed. */
export function storeValue(row: TypedArray, value: unknown, spec: ValueSpec, given: GivenSpec): void {
  const flat = flatValue(value);
  checkShape(flat, spec, given, row.length);
  checkType(flat, spec, given);
  const { numbers } = flat;
  const isBool = spec.dtype === "bool";
  for (let i = 0; i < row.length; i++) {
    const number = numbers[i]!;
    setNearest(row, i, isBool || typeof number === "boolean" ? number ? 1 : 0 : number);
  }
}

function checkShape({ shape, numbers }: FlatValue, spec: ValueSpec, given: GivenSpec, units: number): void {
  const fits = given.shape ? numbers.length === units : sameShape(shape, spec.shape);
  if (fits) return;
  if (!given.shape) {
    const hint = shape.length > 0 ? `; lists of any length need dtype: "object"` : "";
    throw new Error(
      `it returned ${showShape(shape)} values, for a frame of ones ${showShape(spec.shape)}${hint}`,
    );
  }
  const needs = `${units} numbers for ${showShape(spec.shape)} ${spec.dtype}`;
  throw new Error(`it returned ${numbers.length} numbers; a result needs ${needs}`);
}

function checkType({ dtype }: FlatValue, spec: ValueSpec, given: GivenSpec): void {
  if (dtype === spec.dtype) return;
  const [found, wanted] = [dtypeInfo(dtype).kind, dtypeInfo(spec.dtype).kind];
  const pairs = wanted === "c" && found === "f" && given.shape !== undefined; // re and im as floats
  const complex = found === "c" !== (wanted === "c");
  if (pairs || !complex && (given.dtype || resultType(dtype, spec.dtype) === spec.dtype)) return;
  throw new Error(
    given.dtype
      ? `it returned ${dtype} values, which cannot become ${spec.dtype}`
      : `it returned ${dtype} values, for a frame of ones ${spec.dtype}; choose a type with the option dtype`,
  );
}

/** Type and shape of a buffer: as far as the caller has fixed them, otherwise those of a value. */
export function specOf(value: unknown, given: GivenSpec): ValueSpec {
  const found = flatValue(value);
  const spec = { dtype: given.dtype ?? found.dtype, shape: given.shape ?? found.shape };
  const units = sizeOf(spec.shape) * (dtypeInfo(spec.dtype).kind === "c" ? 2 : 1);
  checkShape(found, spec, given, units);
  checkType(found, spec, given);
  return spec;
}
