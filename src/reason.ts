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
 * assertEquals(reasonOf(Object.create(null)), "something that is not an error");
 * ```
 */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "something that is not an error";
  }
}

/**
 * A text of a runtime without the colours that are meant for terminals.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutColours("\x1b[31merror\x1b[0m: no such file"), "error: no such file");
 * ```
 */
export function withoutColours(text: string): string {
  // deno-lint-ignore no-control-regex -- the escape character begins a colour
  return text.replace(/\x1b\[[\d;]*m/g, "");
}

/** Most letters of a message, and of one word in it; paths have up to 4096. */
const MOST_LETTERS = 20_000, LONGEST_WORD = 5000;

/** Letters that are kept of both ends of what is too long. */
const ENDS = 200;

/**
 * A message without what nobody reads: very long words, such as a name of a megabyte, are cut in the middle.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readable("there is no scan.mib"), "there is no scan.mib");
 * assertEquals(readable(`there is no ${"x".repeat(1e6)}`).length < 500, true);
 * ```
 */
export function readable(message: string): string {
  if (message.length <= LONGEST_WORD) return message;
  const words = message.replace(new RegExp(`\\S{${LONGEST_WORD + 1},}`, "g"), shortened);
  return words.length <= MOST_LETTERS ? words : shortened(words);
}

function shortened(text: string): string {
  const left = text.length - 2 * ENDS;
  return `${text.slice(0, ENDS)}… (${left} more characters) …${text.slice(-ENDS)}`;
}
