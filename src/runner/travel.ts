/**
 * Checks whether parameters can be sent to workers, before anything is sent.
 *
 * @module
 */

import { type ErrorDetails, TilewiseError } from "../errors.ts";

/**
 * Refuses parameters that cannot be sent to a worker unchanged. The error begins with `who`, which they are for, and has the
 * path of the first of them.
 */
export function mustTravel(
  who: string,
  params: Readonly<Record<string, unknown>>,
  details: ErrorDetails = {},
): void {
  const found = obstacle(params, "", new Set());
  if (!found) return;
  const text =
    `${who}: the parameter ${found.path || "list"} is ${found.what}; parameters travel to workers, ` +
    "so they can be numbers, texts, truth values, arrays, typed arrays, and plain objects of these";
  const option = `params${found.path && `.${found.path}`}`;
  throw new TilewiseError("udf", text, { ...details, option, found: found.what, path: found.path });
}

interface Obstacle {
  readonly path: string;
  readonly what: string;
}

/** Classes whose values arrive unchanged on a worker. */
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
