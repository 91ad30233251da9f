/**
 * The command lines of the bench scripts: `--name value`, `--flag`, and names.
 *
 * @module
 */

/** A command line, taken apart. */
export interface Arguments {
  /** `--name value` as `{ name: "value" }`; a flag is `"true"`. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** What stands without an option. */
  readonly names: readonly string[];
}

/**
 * Takes a command line apart; an option that is in neither list is an error that names the known ones.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { options, names } = readArguments(["--dir", "/data", "u16"], ["dir"]);
 * assertEquals([options.dir, ...names], ["/data", "u16"]);
 * ```
 */
export function readArguments(
  words: readonly string[],
  withValue: readonly string[],
  flags: readonly string[] = [],
): Arguments {
  const options: Record<string, string> = {};
  const names: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const name = word.startsWith("--") ? word.slice(2) : undefined;
    if (name === undefined) names.push(word);
    else if (flags.includes(name)) options[name] = "true";
    else if (withValue.includes(name) && i + 1 < words.length) options[name] = words[++i]!;
    else {throw new Error(`Cannot use "${word}": known are ${
        [...withValue, ...flags].map((o) => `--${o}`).join(" ")
      }`);}
  }
  return { options, names };
}
