/**
 * Whether parameters can travel to workers, before anything is sent.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type TypedArray, zeros } from "../../space/dtype.ts";
import { type AuxSpec, isAuxData } from "./aux_data.ts";

/** Refuses parameters that a worker could not be sent as they are; the error names the path of the first one. */
export function checkParams(udf: string, params: Readonly<Record<string, unknown>>): void {
  const found = obstacle(params, "", new Set());
  if (!found) return;
  const text =
    `UDF "${udf}": the parameter ${found.path || "list"} is ${found.what}; parameters travel to workers, ` +
    "so they can be numbers, texts, truth values, arrays, typed arrays, and plain objects of these";
  const option = `params${found.path && `.${found.path}`}`;
  throw new TilewiseError("udf", text, { udf, option, found: found.what, path: found.path });
}

interface Obstacle {
  readonly path: string;
  readonly what: string;
}

/** Classes whose values arrive on a worker as they were. */
const TRAVELLERS = [
  ArrayBuffer,
  Date,
  RegExp,
  ...(typeof SharedArrayBuffer === "undefined" ? [] : [SharedArrayBuffer]),
];

function obstacle(value: unknown, path: string, seen: Set<object>): Obstacle | undefined {
  if (typeof value === "function" || typeof value === "symbol") return { path, what: `a ${typeof value}` };
  if (typeof value !== "object" || value === null || seen.has(value)) return undefined;
  seen.add(value);
  if (ArrayBuffer.isView(value) || TRAVELLERS.some((kind) => value instanceof kind)) return undefined;
  if (value instanceof Map || value instanceof Set) return inside([...value].entries(), path, seen);
  if (Array.isArray(value)) return inside(value.entries(), path, seen);
  const prototype = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null; // also of another realm
  if (plain) return inside(Object.entries(value), path, seen);
  return { path, what: `an instance of ${prototype.constructor?.name || "a class"}` };
}

function inside(
  entries: Iterable<readonly [string | number, unknown]>,
  path: string,
  seen: Set<object>,
): Obstacle | undefined {
  for (const [key, value] of entries) {
    const found = obstacle(value, step(path, key), seen);
    if (found) return found;
  }
  return undefined;
}

function step(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
}

/**
 * Values that travel to workers as parameters.
 * @category User-defined functions
 */
export type ParamValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | bigint
  | TypedArray
  | AuxSpec
  | readonly ParamValue[]
  | {
    /** A value by its name. */
    readonly [key: string]: ParamValue;
  };

/**
 * The parameters of a UDF.
 * @category User-defined functions
 */
export type Params = Readonly<Record<string, ParamValue>>;

/** Parameters as they travel to workers: without the numbers of {@link auxData}, which lie in shared memory. */
export function travelling(params: Params): Params {
  const light = ([key, value]: [string, ParamValue]): [string, ParamValue] => {
    if (typeof value !== "object" || value === null || !isAuxData(value)) return [key, value];
    return [key, { ...value, data: zeros(value.dtype, 0) }];
  };
  return Object.fromEntries(Object.entries(params).map(light));
}
