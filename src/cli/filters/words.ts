/**
 * Filters as words of the command line: `gaussian:sigma=2`, or the path of a module with a function or a kernel over views.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { nearest } from "../../options.ts";
import { DTYPES } from "../../space/dtype.ts";
import type { DType } from "../../space/dtype.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { viewExpression } from "../../views/operations/expression.ts";
import { viewKernel } from "../../views/operations/kernels/view_kernel.ts";
import { viewFunction } from "../../views/operations/view_function.ts";
import { UsageError } from "../shell/args.ts";
import type { Filter, FilterParameter, FilterValue } from "./filter.ts";
import { FILTERS } from "./table.ts";

/** What filters get beside their own words. */
export interface WordDefaults {
  /** Samples on both sides, for filters that were given no radius: `--radius`. */
  readonly radius?: FilterValue;
  /** Names of the arrays that it takes, the source first; absent: it takes one. */
  readonly inputs?: readonly string[];
}

/** The operation that a word means. */
export function operationOf(text: string, defaults: WordDefaults = {}): ViewOperation {
  if (/^expr(:|$)/.test(text)) return ofExpression(text, defaults);
  const [, name, parameters] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(text)!;
  const pairs = pairsIn(text, parameters);
  const module = moduleIn(name!);
  if (module) return (isKernel(module) ? ofKernel : ofModule)(module, pairs, defaults);
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

/** A number, or one per dimension: `2`, `0x2x2`. */
export function numbersIn(text: string): number | number[] | undefined {
  const parts = text.split("x").map((part) => part.trim() === "" ? NaN : Number(part));
  if (!parts.every(Number.isFinite)) return undefined;
  return parts.length === 1 ? parts[0] : parts;
}

interface ModuleWord {
  readonly path: string;
  readonly name: string;
}

function moduleIn(text: string): ModuleWord | undefined {
  const found = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/.exec(text);
  return found ? { path: found[1]!, name: found[2] ?? "default" } : undefined;
}

/** Whether a module is a source of AssemblyScript. */
function isKernel({ path }: ModuleWord): boolean {
  return path.endsWith(".as.ts");
}

/** Parameters as they were typed. */
export type Pairs = readonly (readonly [name: string, text: string])[];

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

/** `expr:EXPRESSION;NAME=NUMBER;dtype=float64`. */
function ofExpression(word: string, { inputs }: WordDefaults): ViewOperation {
  const parts = word.slice(5).split(";").map((part) => part.trim()).filter((part) => part !== "");
  const named = (part: string) => /^([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/s.exec(part);
  const [text, ...others] = parts.filter((part) => !named(part));
  if (text === undefined || others.length > 0) {
    throw new UsageError(
      `"${word}" must be one expression, with numbers by name: write expr:'max(x - k, 0);k=3'`,
    );
  }
  const params: Record<string, number> = {};
  let dtype: "float32" | "float64" = "float32";
  for (const [, name = "", value = ""] of parts.flatMap((part) => [named(part) ?? []])) {
    if (name === "dtype" && (value === "float32" || value === "float64")) dtype = value;
    else if (name !== "") params[name] = paramIn(name, value);
  }
  return viewExpression(text, { params, dtype, ...(inputs ? { inputs } : {}) });
}

function paramIn(name: string, text: string): number {
  const value = numbersIn(text);
  if (typeof value === "number") return value;
  throw new UsageError(`an expression cannot use ${name}=${text}; write a number`);
}

/** A function of views: `radius`, `input` and `dtype` are its options, all else are its parameters. */
function ofModule({ path, name }: ModuleWord, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  const { radius, input, dtype, params } = codeOptions(pairs, defaults);
  return viewFunction(urlOf(path), {
    export: name,
    ...radius,
    ...(input === undefined ? {} : { input: typeIn("input", input) }),
    ...(dtype === undefined ? {} : { dtype: typeIn("dtype", dtype) }),
    ...(defaults.inputs ? { inputs: defaults.inputs } : {}),
    params,
  });
}

/** A kernel in AssemblyScript: as a function, but its parameters are numbers, in their order. */
function ofKernel({ path, name }: ModuleWord, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  const { radius, input, dtype, params } = codeOptions(pairs, defaults);
  return viewKernel({
    file: urlOf(path),
    ...(name === "plane" || name === "tile" ? { export: name } : {}),
    ...radius,
    ...(input === undefined ? {} : { input: input === "native" ? input : typeIn("input", input) }),
    ...(dtype === undefined ? {} : { dtype: dtype === "native" ? dtype : typeIn("dtype", dtype) }),
    ...(defaults.inputs ? { inputs: defaults.inputs } : {}),
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, numberOf(key, value)])),
  });
}

/** The options of code of users, and its parameters. */
function codeOptions(pairs: Pairs, defaults: WordDefaults) {
  const { radius = defaults.radius, input, dtype, ...params } = Object.fromEntries(
    pairs.map(([key, text]) => [key, numbersIn(text) ?? text] as const),
  );
  return {
    radius: radius === undefined || typeof radius === "string" ? {} : { radius },
    input,
    dtype,
    params,
  };
}

function urlOf(path: string): string {
  return /^\w+:\/\//.test(path) ? path : pathToFileURL(path).href;
}

function numberOf(key: string, value: FilterValue): number {
  if (typeof value === "number") return value;
  throw new UsageError(`a kernel cannot use ${key}=${value}; write a number`);
}

function typeIn(key: string, value: FilterValue): DType {
  const found = DTYPES.find((dtype) => dtype === value);
  if (found) return found;
  throw new UsageError(`code over views cannot use ${key}=${value}; write one of ${DTYPES.join(", ")}`);
}
