/**
 * UDFs as words of the command line: `com:cy=64,cx=64,r=20`, `expr:'sum(x)'`, or the path of a module.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { mapFrames } from "../../udf/builtin/map_frames.ts";
import type { Params } from "../../udf/interface/params.ts";
import { udf, type UdfRef } from "../../udf/interface/udf_ref.ts";
import { type Analysis, type Facts, type Made, make } from "./analysis.ts";
import { ANALYSES, findAnalysis } from "./index.ts";
import { UsageError } from "../shell/args.ts";
import { moduleUrl } from "../shell/module_url.ts";
import { nearest } from "../../options.ts";
import { freeValue, isFile, parseValue, readValues, type TypedValue, type TypedValues } from "./values.ts";

/** A UDF as it was typed. */
export interface UdfWord {
  /** What its results are called. */
  readonly key: string;
  /** What the command line knows of it; absent: it is in a module. */
  readonly analysis?: Analysis;
  /** The path of a module. */
  readonly module?: string;
  /** The export of the module. */
  readonly export?: string;
  /** Whether it is a function of a frame, not a UDF. */
  readonly map?: true;
  /** Its parameters. */
  readonly values: TypedValues;
}

/** Understands the words; two of the same name get keys of their own. */
export function parseUdfs(words: readonly string[]): UdfWord[] {
  const seen = new Set<string>();
  return words.map((word) => {
    const parsed = parseUdf(word);
    let key = parsed.key;
    for (let count = 2; seen.has(key); count++) key = `${parsed.key}-${count}`;
    seen.add(key);
    return { ...parsed, key };
  });
}

/** The files that a word names, or may name: a module, `@FILE`, a text that may be a path. */
export function namedFiles({ module, values }: UdfWord): string[] {
  const texts = Object.values(values).flatMap((value) =>
    typeof value === "string" ? [value.replace(/#\w+$/, "")] : isFile(value) ? [value.file] : []
  );
  const paths = texts.flatMap((text) => [text, ...text.split(";")]);
  return [...(module === undefined ? [] : [module]), ...paths].map(asPath).filter((path) => path !== "");
}

/** The modules that a word names: its own, and values that are modules, as that of a mask may be. */
export function modulesIn({ module, values }: UdfWord): string[] {
  const texts = Object.values(values).flat().map(String);
  const named = texts.filter((text) => /\.[mc]?[jt]sx?(#\w*)?$/.test(text));
  return [...(module === undefined ? [] : [module]), ...named.map((text) => text.replace(/#\w*$/, ""))];
}

/** The path of a `file:` URL; anything else as it is. */
function asPath(text: string): string {
  try {
    return /^file:\/\//i.test(text) ? fileURLToPath(text) : text;
  } catch {
    return text; // no file of this machine
  }
}

function parseUdf(word: string): UdfWord {
  if (/^expr(:|$)/.test(word)) return parseExpression(word);
  const [, name, parameters] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(word)!;
  const pairs = parsePairs(word, parameters);
  if (name!.startsWith("map:")) {
    const inner = parseUdf(word.slice(4));
    if (!inner.analysis) return { ...inner, map: true };
    throw new UsageError(`"${word}" maps no function; write map:./mine.ts or map:./mine.ts#name`);
  }
  const module = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/.exec(name!) ??
    /^(\w+:\/\/.*?)(?:#(\w+))?$/.exec(name!);
  if (module) {
    const [, path, chosen] = module;
    const base = path!.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
    const values = Object.fromEntries(pairs.map(([key, text]) => [key, freeValue(text)]));
    return { key: chosen ?? base, module: path!, ...(chosen ? { export: chosen } : {}), values };
  }
  const analysis = knownAnalysis(name!);
  return { key: name!, analysis, values: checkedValues(analysis, name!, pairs) };
}

/** A comma ends a value only where a name and = follow: file names may have commas. */
function parsePairs(word: string, text: string | undefined): [name: string, text: string][] {
  if (text === undefined) return [];
  return text.split(/,(?=\s*[A-Za-z_]\w*=)/).map((pair) => {
    const [, key, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
    if (key !== undefined) return [key, value!];
    throw new UsageError(`cannot read "${pair}" in "${word}"; write name:key=value,key=value`);
  });
}

function knownAnalysis(name: string): Analysis {
  const found = findAnalysis(name);
  if (found) return found;
  throw new UsageError(`the UDF "${name}" is unknown; ${hintFor(name)}`);
}

function hintFor(name: string): string {
  const [word, parameters] = name.split(":", 2) as [string, string?];
  const names = ANALYSES.map(({ name }) => name);
  const known = findAnalysis(word)?.name ?? nearest(word, names);
  if (known && parameters !== undefined) return `write ${known}, or ${known}:PARAMETER=VALUE,…`;
  if (known) return `did you mean ${known}?`;
  const isPath = /[./\\]/.test(name);
  if (isPath) return "the last argument alone is the source, and modules with UDFs end in .ts or .js";
  return `there are ${names.join(", ")}, and paths of modules (.ts, .js)`;
}

function checkedValues(
  { parameters, check }: Analysis,
  name: string,
  pairs: readonly (readonly [string, string])[],
): TypedValues {
  const values: Record<string, TypedValue> = {};
  for (const [key, text] of pairs) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (!parameter) {
      const all = Object.keys(parameters);
      const takes = all.length > 0 ? `it takes ${all.join(", ")}` : "it takes none";
      throw new UsageError(`the UDF ${name} has no parameter "${key}"; ${takes}`);
    }
    if (key in values) throw new UsageError(`the UDF ${name} has ${key} twice`);
    values[key] = parseValue(name, key, text, parameter);
  }
  check?.(Object.keys(values));
  const needs = Object.keys(parameters).filter((key) => parameters[key]!.preset === undefined);
  const missing = needs.filter((key) => !(key in values));
  if (missing.length === 0) return values;
  const example = needs.map((key) => `${key}=…`).join(",");
  throw new UsageError(`the UDF ${name} needs ${missing.join(" and ")}; write ${name}:${example}`);
}

/** `expr:NAME=EXPRESSION;NAME=@FILE;NAME=NUMBER`; a part without a name is the result `value`. */
function parseExpression(word: string): UdfWord {
  const values: Record<string, TypedValue> = {};
  for (const part of word.slice(5).split(";").filter((part) => part.trim() !== "")) {
    const trimmed = part.trim();
    const [head = "", name = "value"] = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(trimmed) ?? [];
    const text = trimmed.slice(head.length).trimStart();
    if (name in values) {
      throw new UsageError(`two parts of "${word}" are called ${name}; write name=…;name=…`);
    }
    values[name] = freeValue(text);
  }
  const isResult = ([name, value]: [string, TypedValue]) => typeof value === "string" && name !== "precision";
  if (Object.entries(values).some(isResult)) {
    return { key: "expr", analysis: findAnalysis("expr")!, values };
  }
  throw new UsageError(`"${word}" computes nothing; write expr:'sum(x)' or expr:'bright=sum(x);peak=max(x)'`);
}

/** What the words mean, by their keys: files are read, and first passes are made. */
export async function makeUdfs(words: readonly UdfWord[], facts: Facts): Promise<Record<string, Made>> {
  const made: Record<string, Made> = {};
  for (const word of words) made[word.key] = await makeUdf(word, facts); // one first pass after another
  return made;
}

async function makeUdf(word: UdfWord, facts: Facts): Promise<Made> {
  const values = await readValues(word.values);
  if (word.analysis) return await make(word.analysis, values, facts);
  return { ref: moduleUdf(word, values as Params) };
}

function moduleUdf({ module, map, export: name }: UdfWord, params: Params): UdfRef {
  const url = moduleUrl(module!);
  const options = { ...(name ? { export: name } : {}), params };
  return map ? mapFrames(url, options) : udf(url, options);
}
