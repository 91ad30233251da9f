/**
 * The words of a command line as flags, their values, and all others, as `parseArgs` of `node:util` reads them: that module
 * would take 4 MiB and 5 ms in every command.
 *
 * @module
 */

import type { Flag } from "./verb.ts";

/** A word that is not a flag, or a flag as it was typed. */
export type Word =
  | { readonly kind: "positional"; readonly value: string }
  | {
    readonly kind: "flag";
    /** Its name; of unknown letters the letter. */
    readonly name: string;
    /** As it was typed: `--output`, `-o`. */
    readonly typed: string;
    /** Its value, if it has one. */
    readonly value?: string;
    /** Whether the value was part of the same word. */
    readonly isInline?: boolean;
  };

/**
 * Reads `words`: `--name value`, `--name=value`, `-n value`, `-nvalue`, letters together as in `-qh`; behind `--` there are no
 * flags.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const flags = [{ name: "output", short: "o", value: "OUT", help: "" }];
 * assertEquals([...wordsIn(["a", "-ob"], flags)], [
 *   { kind: "positional", value: "a" },
 *   { kind: "flag", name: "output", typed: "-o", value: "b", isInline: true },
 * ]);
 * ```
 */
export function* wordsIn(words: readonly string[], flags: readonly Flag[]): Generator<Word> {
  const rest = [...words];
  const takesValue = (name: string) =>
    flags.some((flag) => flag.name === name && flag.value !== undefined && !flag.optional);
  const nameOf = (letter: string) => flags.find(({ short }) => short === letter)?.name ?? letter;
  const flag = (name: string, typed: string): Word => {
    const value = takesValue(name) ? rest.shift() : undefined;
    return { kind: "flag", name, typed, ...(value === undefined ? {} : { value, isInline: false }) };
  };
  while (rest.length > 0) {
    const word = rest.shift()!;
    const letters = /^-([^-].*)$/s.exec(word)?.[1];
    if (word === "--") break;
    if (letters !== undefined) {
      const [first, ...others] = [...letters] as [string, ...string[]];
      if (others.length === 0) yield flag(nameOf(first), word);
      else if (takesValue(nameOf(first))) {
        yield {
          kind: "flag",
          name: nameOf(first),
          typed: `-${first}`,
          value: others.join(""),
          isInline: true,
        };
      } else rest.unshift(...apart([first, ...others], (letter) => takesValue(nameOf(letter))));
    } else if (word.startsWith("--")) {
      const at = word.includes("=", 3) ? word.indexOf("=") : -1; // "--=" is a name
      const typed = word.slice(2, at < 0 ? undefined : at);
      const name = flags.find(({ also }) => also === typed)?.name ?? typed;
      if (at < 0) yield flag(name, word);
      else yield { kind: "flag", name, typed: `--${typed}`, value: word.slice(at + 1), isInline: true };
    } else yield { kind: "positional", value: word };
  }
  for (const value of rest) yield { kind: "positional", value };
}

/** Letters that stand together, one by one; behind one that takes a value, the rest is that value. */
function apart(letters: readonly string[], takesValue: (letter: string) => boolean): string[] {
  const at = letters.findIndex(takesValue);
  const stop = at < 0 ? letters.length : at;
  const last = at < 0 ? [] : [`-${letters.slice(at).join("")}`];
  return [...letters.slice(0, stop).map((letter) => `-${letter}`), ...last];
}

/**
 * The words as they may be typed again: flags in their long form, without those named in `dropped`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const flags = [{ name: "output", short: "o", value: "OUT", help: "" }, { name: "nav", value: "AxB", help: "" }];
 * assertEquals(retyped(["sum", "-ob", "--nav", "3x3", "a"], flags, ["output"]), ["sum", "--nav=3x3", "a"]);
 * ```
 */
export function retyped(
  words: readonly string[],
  flags: readonly Flag[],
  dropped: readonly string[],
): string[] {
  return [...wordsIn(words, flags)].flatMap((word) => {
    if (word.kind === "positional") return [word.value];
    if (dropped.includes(word.name)) return [];
    return [word.value === undefined ? `--${word.name}` : `--${word.name}=${word.value}`];
  });
}
