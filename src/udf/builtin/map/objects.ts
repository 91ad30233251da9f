/**
 * What functions of frames return that is not numbers: JSON values, which are object results.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { jsonCopies } from "../../buffers/object_buffers.ts";
import type { JsonValue } from "../../interface/objects.ts";
import { flatValue, type GivenSpec, isPlain, nameOf, specOf, type ValueSpec } from "./values.ts";

/** That results are JSON values. */
export interface ObjectSpec {
  /** Tells them from numbers. */
  readonly dtype: "object";
  /** What a frame of ones gave, in words; absent: nobody asked, as the caller wants any value. */
  readonly for?: ObjectKind;
}

/** What a JSON value that is not numbers is, in words. */
export type ObjectKind = typeof OBJECT_KINDS[number];

/** All of them. */
export const OBJECT_KINDS = ["null", "a string", "an object", "a list"] as const;

/** What results are made of: numbers, or JSON values. */
export type ResultSpec = ValueSpec | ObjectSpec;

/** Whether results are JSON values. */
export function isObjectSpec(spec: ResultSpec): spec is ObjectSpec {
  return spec.dtype === "object";
}

/** What results are, for the value that a frame of ones gave. Throws an error that says what the value is instead. */
export function resultSpecOf(value: unknown, given: GivenSpec): ResultSpec {
  if (given.dtype || given.shape || !isObject(value)) return specOf(value, given);
  jsonOf(value);
  return { dtype: "object", for: nameOf(value) as ObjectKind };
}

/**
 * Whether a value is for an object result: no number, and no list of numbers with a shape. Lists without a number have no
 * shape that all frames could have; what a function finds in a frame of ones is often nothing.
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

/** The value of one frame for a result of `spec`. Throws an error that says what the value is instead. */
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

/** Explains numbers that came out as something else, where an object result would take it. */
export function mixedKinds(value: unknown, spec: ValueSpec, given: GivenSpec): string {
  if (given.dtype || given.shape || !isObject(value)) return "";
  return `, for a frame of ones ${
    spec.shape.length === 0 ? "a number" : "numbers"
  }; the result is numbers or ` +
    `objects, for all frames: dtype: "object" takes any JSON value`;
}

/** A copy of a JSON value: a function may change its own with the next frame. */
function jsonOf(value: unknown): JsonValue {
  if (value === undefined || value instanceof Promise) {
    throw new Error(`it returned ${nameOf(value)}, which is no number and no JSON value`);
  }
  try {
    return jsonCopies("", "", [value])[0]!;
  } catch (error) {
    if (!(error instanceof TilewiseError)) throw error;
    throw new Error(`it returned ${nameOf(value)} that is no JSON: ${error.details.found}`);
  }
}
