/**
 * JSON in one form, so that equal values have equal digests.
 *
 * @module
 */

import { sha256 } from "../../io/hash.ts";

/**
 * A JSON value.
 * @category Cluster
 */
export type Json = string | number | boolean | null | readonly Json[] | {
  /** A value by its name. */
  readonly [key: string]: Json;
};

/**
 * The text of a value, without spaces. Keys stay in their order, as it may have a meaning: the buffers of a kernel are its
 * arguments. The same code and the same parameters give the same text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(canonical({ b: [1, null], a: "x" }), '{"b":[1,null],"a":"x"}');
 * ```
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value);
}

/** SHA-256 of the text of a value, as hexadecimal digits. */
export async function digestOf(value: unknown): Promise<string> {
  return await sha256(new TextEncoder().encode(canonical(value)));
}
