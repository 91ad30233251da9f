/**
 * Values of frame functions that are not numbers: JSON values, which become object results.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { jsonCopies } from "../../buffers/object_buffers.ts";
import type { JsonValue } from "../../interface/objects.ts";
import { flatValue, type GivenSpec, isPlain, nameOf, specOf, type ValueSpec } from "./values.ts";

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
