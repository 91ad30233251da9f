/**
 * Parses the words after a verb: an error is one line that names what would be right.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { nearest } from "../../options.ts";
import { Arguments, UsageError } from "./args.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
/** Parses the words after a verb. */
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
