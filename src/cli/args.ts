/**
 * Arguments and flags of a verb, checked: what is wrong is said in one line that names what would be right.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { TilewiseError } from "../errors.ts";
import { nearest } from "../options.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";

/** A command that cannot be understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was typed after the verb. */
export class Arguments {
  /** Paths of the files that the command has read so far: nothing may be written over them. */
  readonly inputs: Set<string> = new Set();
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** The arguments that are not flags, the values of the flags that were given, and all words as they were typed. */
  constructor(
    readonly positionals: readonly string[],
    values: ReadonlyMap<string, readonly string[]>,
    readonly words: readonly string[] = [],
  ) {
    this.#values = values;
  }

  /** Whether the flag was given. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The last value of a flag. */
  text(flag: string): string | undefined {
    return this.#values.get(flag)?.at(-1);
  }

  /** All values of a flag. */
  texts(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }

  /** The value of a flag, understood by `parse`; what it throws becomes a {@link UsageError} that names the flag. */
  value<T>(flag: string, parse: (text: string) => T): T | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TilewiseError)) throw error;
      throw new UsageError(`--${flag} ${text}: ${error.message}`);
    }
  }

  /** A whole number from `least` to `most`. */
  count(flag: string, least = 0, most = Infinity): number | undefined {
    return this.value(flag, (text) => {
      const number = Number(text);
      const isWhole = /^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(number);
      if (isWhole && number >= least && number <= most) return number;
      const range = Number.isFinite(most) ? ` from ${least} to ${most}` : ` from ${least} on`;
      throw new TilewiseError("invalid", `write a whole number${Number.isFinite(least) ? range : ""}`);
    });
  }
}

/** Understands what follows a verb. */
export function parseArguments(verb: Verb, words: readonly string[]): Arguments {
  const flags = [...verb.flags, ...COMMON_FLAGS];
  const options = Object.fromEntries(flags.map((flag) => [flag.name, {
    type: flag.value && !flag.optional ? "string" as const : "boolean" as const,
    multiple: true,
    ...(flag.short ? { short: flag.short } : {}),
  }]));
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(verb, token.rawName, flags);
    const before = values.get(flag.name) ?? [];
    values.set(flag.name, [...before, valueOf(flag, token)]);
  }
  const args = new Arguments(positionals, values, words);
  if (!args.has("help")) checkCount(verb, positionals.length);
  if (positionals.includes("")) {
    throw new UsageError(`an argument is empty; write: tilewise ${verb.name} ${verb.usage}`);
  }
  return args;
}

function valueOf(
  flag: Flag,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string {
  const { rawName, value, inlineValue } = token;
  if (flag.optional && value === undefined) return "";
  if (!flag.value) {
    if (value === undefined) return "";
    throw new UsageError(`${rawName} takes no value, but "${value}" was given`);
  }
  if (value === "") {
    throw new UsageError(`${rawName} was given an empty value; write ${rawName} ${flag.value}`);
  }
  if (value !== undefined && (inlineValue || !/^--\w/.test(value))) return value;
  throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}`);
}

function unknownFlag(verb: Verb, rawName: string, flags: readonly Flag[]): UsageError {
  const near = nearest(rawName, flags.map(({ name }) => `--${name}`));
  const hint = near ? `did you mean ${near}?` : `see "tilewise ${verb.name} --help"`;
  return new UsageError(`tilewise ${verb.name} has no flag ${rawName}; ${hint}`);
}

function checkCount({ name, usage, least, most = Infinity }: Verb, count: number): void {
  if (count >= least && count <= most) return;
  const problem = count < least ? "is missing an argument" : "has too many arguments";
  throw new UsageError(`the command ${problem}; write: tilewise ${name} ${usage}`);
}
