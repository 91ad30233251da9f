/**
 * What was thrown, in words.
 *
 * @module
 */

/**
 * What was thrown, in words: the message of an error, anything else as text. It never throws itself, whatever it is given.
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
