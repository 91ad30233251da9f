/**
 * Words of analyses and filters: values in the order of the parameters, and mistakes in words: an unknown name, a parameter
 * that does not exist, a value that cannot be.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** Where a mistake in a word is. */
interface WordPlace {
  /** The parameter that it is about. */
  readonly parameter?: string;
}

/** A mistake in how an analysis or a filter was asked for: `invalid`. Its `details.parameter` names the field, if there is one. */
export class WordError extends TilewiseError {
  /** The mistake and what would work. */
  constructor(message: string, place: WordPlace = {}) {
    super("invalid", message, { ...place });
  }
}

/** A value that cannot be, and what to write; many languages write 3,5 for 3.5. */
export function wrongValue(of: string, name: string, text: string, write: string): WordError {
  const [, whole, rest] = /^(-?\d+),(\d+)$/.exec(text.trim()) ?? [];
  const hint = whole === undefined ? "" : `; decimals have a point, as in ${whole}.${rest}`;
  return new WordError(`${of} cannot use ${name}=${text}; write ${write}${hint}`, { parameter: name });
}

/**
 * A word whose first values have no names, with the names of `parameters` in their order.
 */
function withNames(word: string, parameters: readonly string[]): string {
  const [, name, first, rest = ""] = /^(\w+):(?!\w+=)(.*?)(,\s*[A-Za-z_]\w*=.*)?$/s.exec(word) ?? [];
  if (first === undefined || first === "") return word;
  const values = first.split(",");
  if (values.length <= parameters.length) {
    return `${name}:${values.map((value, i) => `${parameters[i]}=${value.trim()}`).join(",")}${rest}`;
  }
  const takes = parameters.length === 0 ? "takes no values" : `takes ${parameters.join(", ")}`;
  throw new WordError(`${name} ${takes}, but "${first}" was given; write name:key=value,key=value`);
}

/** Names and texts of parameters. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/**
 * The name and the parameters of a word; with `parameters` its first values may have no names. A comma ends a value only where a
 * name and = follow: file names may have commas.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { name, pairs } = splitWord("bf:60,64,r=22", ["cy", "cx", "r"]);
 * assertEquals([name, ...pairs.map(([key, text]) => `${key}=${text}`)], ["bf", "cy=60", "cx=64", "r=22"]);
 * assertEquals(splitWord("mine.ts:r=2").pairs, [["r", "2"]]);
 * ```
 */
export function splitWord(
  word: string,
  parameters?: readonly string[],
): { readonly name: string; readonly pairs: Pairs } {
  const full = parameters ? withNames(word, parameters) : word;
  const [, name, text] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(full)!;
  const pairs = text?.split(/,(?=\s*[A-Za-z_]\w*=)/).map((pair) => {
    const [, key, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
    if (key !== undefined) return [key, value!] as const;
    throw new WordError(`cannot read "${pair}" in "${word}"; write name:key=value,key=value`);
  });
  return { name: name!, pairs: pairs ?? [] };
}

/** What has parameters: `the UDF`, `the filter`, its name, and its parameters, of which those without a preset must be given. */
interface Called<P> {
  readonly kind: string;
  readonly name: string;
  readonly parameters: Readonly<Record<string, P>>;
}

/** The values that `pairs` give for parameters, each once; `read` makes one of its text. */
export function valuesIn<P, V>(
  { kind, name, parameters }: Called<P>,
  pairs: Pairs,
  read: (key: string, text: string, parameter: P) => V,
): Record<string, V> {
  const values: Record<string, V> = {};
  for (const [key, text] of pairs) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (!parameter) {
      const all = Object.keys(parameters);
      const takes = all.length > 0 ? `it takes ${all.join(", ")}` : "it takes none";
      throw new WordError(`${kind} ${name} has no parameter "${key}"; ${takes}`, { parameter: key });
    }
    if (key in values) throw new WordError(`${kind} ${name} has ${key} twice`, { parameter: key });
    values[key] = read(key, text, parameter);
  }
  return values;
}

/** Refuses values of which one is missing that has no preset. */
export function mustHaveAll(
  { kind, name, parameters }: Called<{ readonly preset?: unknown }>,
  values: Readonly<Record<string, unknown>>,
): void {
  const needs = Object.keys(parameters).filter((key) => parameters[key]!.preset === undefined);
  const missing = needs.filter((key) => !(key in values));
  if (missing.length === 0) return;
  const example = needs.map((key) => `${key}=…`).join(",");
  throw new WordError(`${kind} ${name} needs ${missing.join(" and ")}; write ${name}:${example}`, {
    parameter: missing[0]!,
  });
}
