/**
 * Filters as words: `gaussian:sigma=2`, or an expression, `expr:'x - k;k=2'`.
 *
 * @module
 */

import { nearest } from "../../options.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { mustHaveAll, type Pairs, splitWord, valuesIn, WordError, wrongValue } from "../word_error.ts";
import {
  type Filter,
  type FilterParameter,
  type FilterValue,
  numbersIn,
  type WordDefaults,
} from "./filter.ts";
import { FILTERS } from "./table.ts";

/** Whether a word is an expression. */
export function isExpression(text: string): boolean {
  return /^expr(:|$)/.test(text);
}

/** The operation that a word means which is the name of a filter of the table, and its parameters. */
export function namedFilter(text: string, defaults: WordDefaults = {}): ViewOperation {
  const { name, pairs } = partsOf(text);
  const filter = findFilter(name);
  if (!filter) throw unknownFilter(name);
  if (defaults.inputs) throw oneArray(filter, defaults.inputs);
  return filter.make(valuesOf(filter, pairs, defaults));
}

/** The filter called `name`. */
export function findFilter(name: string): Filter | undefined {
  return FILTERS.find((filter) => filter.name === name);
}

/** What to say of a name that no filter has; `others` is what else a word may be. */
export function unknownFilter(name: string, others: string = "expr:'…'"): WordError {
  const names = FILTERS.map(({ name }) => name);
  const near = nearest(name, names);
  const hint = near ? `did you mean ${near}?` : `there are ${names.join(", ")}, and ${others}`;
  return new WordError(`the filter "${name}" is unknown; ${hint}`);
}

function oneArray({ name }: Filter, [, ...others]: readonly string[]): WordError {
  return new WordError(
    `the filter ${name} takes one array, not ${others.join(", ")} as well; the first filter must be an ` +
      `expression such as expr:'x - ${others[0]}', or a function or kernel of your own`,
  );
}

/** How the value of a parameter is written. */
export function written({ kind, words = [] }: FilterParameter): string {
  return {
    number: "a number",
    numbers: "a number, or one per dimension as in 0x2x2",
    word: words.join(" or "),
    level: "a number, or otsu",
    path: "the name of a file",
  }[kind];
}

/** The name and the parameters of a word. */
export function partsOf(text: string): { readonly name: string; readonly pairs: Pairs } {
  const filter = findFilter(text.split(":", 1)[0]!);
  const { name, pairs } = splitWord(text, filter && Object.keys(filter.parameters));
  return { name, pairs: pairs.map(([key, value]) => [key, value.trim()]) };
}

/** The values of the parameters of `filter` that `pairs` give. */
export function valuesOf(
  { name, parameters }: Pick<Filter, "name" | "parameters">,
  pairs: Pairs,
  { radius }: WordDefaults = {},
): Record<string, FilterValue> {
  const called = { kind: "the filter", name, parameters };
  const values = valuesIn(called, pairs, (key, text, parameter) => valueOf(name, key, text, parameter));
  if (radius !== undefined && "radius" in parameters && !("radius" in values)) values["radius"] = radius;
  mustHaveAll(called, values);
  return values;
}

function valueOf(filter: string, key: string, text: string, parameter: FilterParameter): FilterValue {
  const found = numbersIn(text);
  const value = parameter.kind === "word"
    ? parameter.words!.find((word) => word === text)
    : parameter.kind === "path" || (parameter.kind === "level" && text === "otsu")
    ? text
    : parameter.kind === "numbers" || typeof found === "number"
    ? found
    : undefined;
  if (value !== undefined) return value;
  throw wrongValue(`the filter ${filter}`, key, text, written(parameter));
}
