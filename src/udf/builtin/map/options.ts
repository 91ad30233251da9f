/**
 * What `mapFrames` is given: a function of a frame, and options.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { OptionNames } from "../../../options.ts";
import { text, truth } from "../../../options/rules.ts";
import type { AxisFacts, ValueRule } from "../../../space/axes.ts";
import type { DType, TypedArray } from "../../../space/dtype.ts";
import { axesRule, meaningRule } from "../../../space/meaning/rules.ts";
import { shapeFrom } from "../../../space/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import { jsonCopies } from "../../buffers/object_buffers.ts";
import type { DTypeWish } from "../../interface/buffer_types.ts";
import type { JsonValue } from "../../interface/objects.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import type { Params } from "../../interface/udf_ref.ts";
import {
  flatValue,
  type FrameValue,
  type GivenSpec,
  isPlain,
  nameOf,
  specOf,
  type ValueSpec,
} from "./values.ts";

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
export interface ObjectSpec {
  /** Distinguishes them from numbers. */
  readonly dtype: "object";
  /**
   * A description of the value for a frame of ones; absent if the function was not called because the caller accepts
   * any value.
   */
  readonly for?: ObjectKind;
}

/** Describes a JSON value that is not numbers. */
export type ObjectKind = typeof OBJECT_KINDS[number];

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
