/**
 * JSON in one form: keys in order, so that equal values have equal digests.
 *
 * @module
 */

import { sha256 } from "../../io/hash.ts";

/**
 * A JSON value.
 * @category Cluster
 */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The text of a value, with keys in order and without spaces.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(canonical({ b: [1, null], a: "x" }), '{"a":"x","b":[1,null]}');
 * ```
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => isRecord(inner) ? inOrder(inner) : inner);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inOrder(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(record).sort().map((key) => [key, record[key]]));
}

/** SHA-256 of the text of a value, as hexadecimal digits. */
export async function digestOf(value: unknown): Promise<string> {
  return await sha256(new TextEncoder().encode(canonical(value)));
}
