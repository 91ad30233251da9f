/**
 * Filters as words of the command line: `gaussian:sigma=2`, or the path of a module with a function or a kernel over views.
 *
 * @module
 */

import { nearest } from "../../options.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { UsageError } from "../shell/args.ts";
import {
  type Filter,
  type FilterParameter,
  type FilterValue,
  type ModuleWord,
  numbersIn,
  type Pairs,
  type WordDefaults,
} from "./filter.ts";
import { FILTERS } from "./table.ts";

/** The operation that a word means. What compiles code of users is loaded only for such words. */
export async function operationOf(text: string, defaults: WordDefaults = {}): Promise<ViewOperation> {
  if (/^expr(:|$)/.test(text)) return (await import("./own.ts")).ofExpression(text, defaults);
  const [, name, parameters] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(text)!;
  const pairs = pairsIn(text, parameters);
  const module = moduleIn(name!);
  if (module) return (await import("./own.ts")).ofCode(module, pairs, defaults);
  const filter = findFilter(name!);
  if (defaults.inputs) throw oneArray(filter, defaults.inputs);
  return ofFilter(filter, pairs, defaults);
}

function oneArray({ name }: Filter, [, ...others]: readonly string[]): UsageError {
  return new UsageError(
    `the filter ${name} takes one array, not ${others.join(", ")} as well; the first filter must be an ` +
      `expression such as expr:'x - ${others[0]}', or a function or kernel of your own`,
  );
}

/** The path of the module that a word names, if it names one. */
export function modulePath(text: string): string | undefined {
  return moduleIn(text.replace(/:[A-Za-z_]\w*=.*$/s, ""))?.path;
}

/** The filter called `name`. */
export function findFilter(name: string): Filter {
  const found = FILTERS.find((filter) => filter.name === name);
  if (found) return found;
  const near = nearest(name, FILTERS.map(({ name }) => name));
  const isPath = /[./\\]/.test(name);
  const hint = isPath
    ? "the last argument alone is the source, and modules with functions end in .ts or .js"
    : near
    ? `did you mean ${near}?`
    : `there are ${FILTERS.map(({ name }) => name).join(", ")}, and paths of modules (.ts, .js)`;
  throw new UsageError(`the filter "${name}" is unknown; ${hint}`);
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

function moduleIn(text: string): ModuleWord | undefined {
  const found = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/.exec(text);
  return found ? { path: found[1]!, name: found[2] ?? "default" } : undefined;
}

function pairsIn(word: string, text: string | undefined): Pairs {
  if (text === undefined) return [];
  return text.split(/,(?=\s*[A-Za-z_]\w*=)/).map((pair) => {
    const [, key, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
    if (key !== undefined) return [key, value!.trim()];
    throw new UsageError(`cannot read "${pair}" in "${word}"; write name:key=value,key=value`);
  });
}

function ofFilter(filter: Filter, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  return filter.make(valuesOf(filter, pairs, defaults));
}

/** The name and the parameters of a word. */
export function partsOf(text: string): { readonly name: string; readonly pairs: Pairs } {
  const [, name, parameters] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(text)!;
  return { name: name!, pairs: pairsIn(text, parameters) };
}

/** The values of the parameters of `filter` that `pairs` give. */
export function valuesOf(
  { name, parameters }: Pick<Filter, "name" | "parameters">,
  pairs: Pairs,
  { radius }: WordDefaults = {},
): Record<string, FilterValue> {
  const values: Record<string, FilterValue> = {};
  for (const [key, text] of pairs) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (!parameter) {
      const all = Object.keys(parameters);
      const takes = all.length > 0 ? `it takes ${all.join(", ")}` : "it takes none";
      throw new UsageError(`the filter ${name} has no parameter "${key}"; ${takes}`);
    }
    if (key in values) throw new UsageError(`the filter ${name} has ${key} twice`);
    values[key] = valueOf(name, key, text, parameter);
  }
  if (radius !== undefined && "radius" in parameters && !("radius" in values)) values["radius"] = radius;
  const missing = Object.keys(parameters).filter((key) =>
    parameters[key]!.preset === undefined && !(key in values)
  );
  if (missing.length > 0) {
    const example = missing.map((key) => `${key}=…`).join(",");
    throw new UsageError(`the filter ${name} needs ${missing.join(" and ")}; write ${name}:${example}`);
  }
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
  throw new UsageError(`the filter ${filter} cannot use ${key}=${text}; write ${written(parameter)}`);
}
