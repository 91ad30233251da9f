/**
 * What was thrown, in words.
 *
 * @module
 */

/**
 * What was thrown, in words: the message of an error, or any other value as text. This function never throws.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(reasonOf(new RangeError("too far")), "too far");
 * assertEquals(reasonOf(Object.create(null)), "something that is no error");
 * ```
 */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "something that is no error";
  }
}
