/**
 * Parses the words after a verb: an error is one line that names what would be right.
 *
 * @module
 */

import { nearest } from "../../options.ts";
import { Arguments, UsageError } from "./args.ts";
import { hasSeveral } from "./several.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
import { type Word, wordsIn } from "./words.ts";

/** Parses the words after a verb. */
export function parseArguments(verb: Verb, words: readonly string[]): Arguments {
  const flags = [...verb.flags, ...verb.passed ?? [], ...COMMON_FLAGS];
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const word of wordsIn(words, flags)) {
    if (word.kind === "positional") positionals.push(word.value);
    else {
      const flag = flags.find(({ name }) => name === word.name);
      if (!flag) throw unknownFlag(verb, word.typed, flags);
      const before = values.get(flag.name) ?? [];
      values.set(flag.name, [...before, valueOf(flag, word)]);
    }
  }
  const args = new Arguments(positionals, values, words);
  if (!args.has("help")) {
    checkCount(verb.several && hasSeveral(args) ? anyCount(verb) : verb, positionals.length);
  }
  if (positionals.includes("")) {
    throw new UsageError(`an argument is empty; write: tilewise ${verb.name} ${verb.usage}`);
  }
  return args;
}

/** What becomes of a command in {@link changed}. */
interface Changes {
  /** The flags that it loses. */
  readonly without?: readonly string[];
  /** The flags that it gets: of two values, these count. */
  readonly flags?: readonly string[];
  /** Its words that are not flags. Default: those that it has. */
  readonly positionals?: readonly string[];
}

/** A command with other flags and words, as it could have been typed. */
export function changed(
  verb: Verb,
  { flags: given, positionals: words }: Arguments,
  { without = [], flags = [], positionals = words }: Changes,
): Arguments {
  const kept = given.filter(([name]) => !without.includes(name)).flatMap(([name, values]) => {
    const takes = [...verb.flags].find((flag) => flag.name === name)?.value !== undefined;
    return values.map((value) => takes && value !== "" ? `--${name}=${value}` : `--${name}`);
  });
  return parseArguments(verb, [...kept, ...flags, "--", ...positionals]);
}

/**
 * The command, with `--stack` where it names several files behind what is to be done, and one file for the result: then they can
 * only be a series.
 */
export function asSeries(verb: Verb, args: Arguments): Arguments {
  const { isWord, out } = verb.several ?? {}, { positionals } = args;
  if (isWord === undefined || out !== "flag" || hasSeveral(args)) return args;
  const first = positionals.findIndex((word, n) => n > 0 && !isWord(word));
  const sources = first < 0 ? [] : positionals.slice(first);
  const isOne = /[^./\\]\.\w+$/.test(args.text("output") ?? "");
  const isList = isOne && sources.length > 1 && sources.every((word) => /[./\\]/.test(word));
  return isList ? changed(verb, args, { flags: ["--stack"] }) : args;
}

function valueOf(flag: Flag, { typed, value, isInline }: Word & { readonly kind: "flag" }): string {
  if (flag.optional && value === undefined) return "";
  if (!flag.value) {
    if (value === undefined) return "";
    throw new UsageError(`${typed} takes no value, but "${value}" was given`);
  }
  if (value === "") {
    throw new UsageError(`${typed} was given an empty value; write ${typed} ${flag.value}`);
  }
  if (value !== undefined && (isInline || !/^--\w/.test(value))) return value;
  throw new UsageError(`${typed} needs a value: ${typed} ${flag.value}`);
}

function unknownFlag(verb: Verb, typed: string, flags: readonly Flag[]): UsageError {
  const near = nearest(typed, flags.map(({ name }) => `--${name}`));
  const hint = near ? `did you mean ${near}?` : `see "tilewise ${verb.name} --help"`;
  return new UsageError(`tilewise ${verb.name} has no flag ${typed}; ${hint}`);
}

/** A verb with several sources takes any number of words. */
function anyCount({ name, usage }: Verb): Pick<Verb, "name" | "usage" | "least" | "most"> {
  return { name, usage, least: 1 };
}

function checkCount(
  { name, usage, least, most = Infinity }: Pick<Verb, "name" | "usage" | "least" | "most">,
  count: number,
): void {
  if (count >= least && count <= most) return;
  const problem = count < least ? "is missing an argument" : "has too many arguments";
  throw new UsageError(`the command ${problem}; write: tilewise ${name} ${usage}`);
}
