/**
 * What `mapFrames` is given, a function of a frame and options, and what such functions return: numbers, or JSON values.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { isPromise, type OptionNames } from "../../../options.ts";
import { text, truth } from "../../../options/rules.ts";
import { denseData } from "../../../sinks/arrays/numbers.ts";
import type { AxisFacts, ValueRule } from "../../../space/axes.ts";
import { setNearest } from "../../../space/cast.ts";
import {
  type DType,
  dtypeInfo,
  dtypeOf,
  resultType,
  type TypedArray,
  unitsOf,
} from "../../../space/dtype.ts";
import { axesRule, meaningRule } from "../../../space/meaning/rules.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { isArray, shapeFrom } from "../../../space/rules.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { jsonCopies } from "../../buffers/object_buffers.ts";
import type { DTypeWish } from "../../interface/buffer_types.ts";
import type { JsonValue } from "../../interface/objects.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import type { Params } from "../../interface/udf_ref.ts";

// The numbers that frame functions return: their type and shape, and how they are written to a result buffer.

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
interface FlatValue extends ValueSpec {
  /** The numbers in row-major order; complex ones as pairs. */
  readonly numbers: ArrayLike<number | bigint | boolean>;
}

/** `value` as a row of numbers. Throws an error that names the value if it does not consist of numbers. */
function flatValue(value: unknown): FlatValue {
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
function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isPromise(value)) return "a promise (it must not be async: promises are not awaited)";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "a list";
  return isPlain(value) ? "an object" : `an instance of ${value.constructor?.name ?? "no class"}`;
}

/** Whether a value is an object without a class, as in JSON. */
function isPlain(value: unknown): boolean {
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
function specOf(value: unknown, given: GivenSpec): ValueSpec {
  const found = flatValue(value);
  const spec = { dtype: given.dtype ?? found.dtype, shape: given.shape ?? found.shape };
  const units = sizeOf(spec.shape) * (unitsOf(spec.dtype));
  checkShape(found, spec, given, units);
  checkType(found, spec, given);
  return spec;
}

/**
 * Facts that a frame function gets besides the samples.
 * @category User-defined functions
 */
export interface FrameInfo {
  /** Shape of the frame; its samples lie in row-major order. */
  readonly shape: Shape;
  /** Its coordinates in the scan. */
  readonly coordinates: readonly number[];
  /** Its position in the scan as one number. */
  readonly position: number;
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** {@link MapOptions.params}. */
  readonly params: Params;
}

/**
 * A function of one frame. The memory of the samples is reused for the next frame, and other UDFs of the run read it as
 * well: copy what you keep, and do not change it. Complex samples are pairs of numbers.
 * @category User-defined functions
 */
export type FrameFunction<F extends TypedArray = Float32Array, V extends FrameValue = FrameValue> = (
  frame: F,
  info: FrameInfo,
) => V;

/**
 * Options of {@link mapFrames}.
 * @category User-defined functions
 */
export interface MapOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the function as `info.params`. */
  readonly params?: Params;
  /**
   * Type of the result; values are converted. `object`: any JSON value. Default: the type of the value for a frame of
   * ones.
   */
  readonly dtype?: DType | "object";
  /**
   * Shape of one value; lists with that number of entries are accepted as well. Default: the shape of the value for a
   * frame of ones.
   */
  readonly shape?: Shape;
  /** Type of the samples that the function gets, combined with the type of the file by NumPy's rules. Default `float32`. */
  readonly input?: DTypeWish;
  /** Whether there is a result `monitor`: the value of the last frame that has been processed. Default false. */
  readonly monitor?: boolean;
  /** What the values mean, see {@link ValueRule}. Default: what follows from their type. */
  readonly values?: ValueRule;
  /** What the dimensions of one value are, one for each. */
  readonly axes?: readonly AxisFacts[];
}

/** The names of {@link MapOptions}. */
// deno-fmt-ignore: written by `deno task build`
export const MAP_OPTIONS: OptionNames<MapOptions> = {
  export: text, params: true, dtype: true, shape: shapeFrom(0, "[2]"), input: true, monitor: truth,
  values: meaningRule, axes: axesRule,
};

// Values of frame functions that are not numbers: JSON values, which become object results.

/** Says that results are JSON values. */
interface ObjectSpec {
  /** Distinguishes them from numbers. */
  readonly dtype: "object";
  /**
   * A description of the value for a frame of ones; absent if the function was not called because the caller accepts
   * any value.
   */
  readonly for?: ObjectKind;
}

/** Describes a JSON value that is not numbers. */
type ObjectKind = typeof OBJECT_KINDS[number];

/** For any JSON value. */
export const OBJECT_KINDS = ["null", "a string", "an object", "a list"] as const;

/** The kind of results: numbers, or JSON values. */
export type ResultSpec = ValueSpec | ObjectSpec;

/** Whether results are JSON values. */
export function isObjectSpec(spec: ResultSpec): spec is ObjectSpec {
  return spec.dtype === "object";
}

/** The kind of results, from the value for a frame of ones. If it is not possible, throws an error that names the value. */
export function resultSpecOf(value: unknown, given: GivenSpec): ResultSpec {
  if (given.dtype || given.shape || !isObject(value)) return specOf(value, given);
  jsonOf(value);
  return { dtype: "object", for: nameOf(value) as ObjectKind };
}

/**
 * Whether a value belongs in an object result: it is neither a number nor a list of numbers with a shape. Lists without
 * a number have no shape that all frames could share: for a frame of ones, a function often finds nothing.
 */
function isObject(value: unknown): boolean {
  if (value === null || typeof value === "string" || isPlain(value)) return true;
  if (!Array.isArray(value)) return false;
  if (value.flat(Infinity).some((inner) => isObject(inner))) return true;
  try {
    return flatValue(value).numbers.length === 0;
  } catch {
    return value.flat(Infinity).every((inner) => typeof inner === "number" || typeof inner === "boolean");
  }
}

/** The value of one frame for a result of `spec`. Throws an error that names the value if it does not fit. */
export function objectValue(value: unknown, spec: ObjectSpec): JsonValue {
  const isNumbers = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" ||
    ArrayBuffer.isView(value);
  if (spec.for && isNumbers) {
    throw new Error(
      `it returned ${
        nameOf(value)
      }, for a frame of ones ${spec.for}; the result is numbers or objects, for all ` +
        `frames: dtype: "object" takes any JSON value`,
    );
  }
  return jsonOf(value);
}

/** Adds a hint to an error about values that are not numbers, if an object result would accept them. */
export function mixedKinds(value: unknown, spec: ValueSpec, given: GivenSpec): string {
  if (given.dtype || given.shape || !isObject(value)) return "";
  return `, for a frame of ones ${
    spec.shape.length === 0 ? "a number" : "numbers"
  }; the result is numbers or ` +
    `objects, for all frames: dtype: "object" takes any JSON value`;
}

/** A copy of a JSON value: a function may change its own value for the next frame. */
function jsonOf(value: unknown): JsonValue {
  if (value === undefined || value instanceof Promise) {
    throw new Error(`it returned ${nameOf(value)}, which is neither a number nor a JSON value`);
  }
  try {
    return jsonCopies("", "", [value])[0]!;
  } catch (error) {
    if (!(error instanceof TilewiseError)) throw error;
    throw new Error(`it returned ${nameOf(value)} that is not JSON: ${error.details.found}`);
  }
}
