/**
 * Words for a POSIX shell.
 *
 * @module
 */

/**
 * A command line of these words; what is special to a shell stands in quotes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(commandLine(["run", "expr:sum(x)", "it's"]), `run 'expr:sum(x)' 'it'\\''s'`);
 * ```
 */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
    .join(" ");
}
