/**
 * UDFs as words of the command line: `com:cy=64,cx=64,r=20`, `expr:'sum(x)'`, or the path of a module.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { type Params, udf, type UdfRef } from "../../udf/interface/udf_ref.ts";
import {
  type Analysis,
  type AnalysisContext,
  freeValue,
  isFile,
  type Made,
  make,
  readValues,
  type TypedValues,
} from "../../analyses/analysis.ts";
import {
  ANALYSES,
  ANALYSIS_WORDS,
  checkedValues,
  expressionPairs,
  expressionValues,
  findAnalysis,
  isExpression,
} from "../../analyses/words.ts";
import { asUsage } from "../flags/usage.ts";
import { readArray } from "../inputs/sources.ts";
import { UsageError } from "../shell/args.ts";
import { splitWord } from "../../analyses/word_error.ts";
import { nearest } from "../../options.ts";

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
    const parsed = asUsage(() => parseUdf(word));
    let key = parsed.key;
    for (let count = 2; seen.has(key); count++) key = `${parsed.key}-${count}`;
    seen.add(key);
    return { ...parsed, key };
  });
}

/** Whether a word is called like a UDF or a module, whatever its parameters are. */
export function isUdfWord(word: string): boolean {
  const name = word.replace(/:([A-Za-z_]\w*=.*)?$/s, "");
  return /^map(:|$)/.test(word) || MODULE.test(name) ||
    findAnalysis(word.split(":", 1)[0]!) !== undefined;
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

/** Paths of modules, and the name of an export. */
const MODULE = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/;

function parseUdf(word: string): UdfWord {
  const [head = ""] = word.split(":", 1);
  if (isExpression(head)) return parseExpression(word, head);
  const analysis = findAnalysis(head);
  const { name, pairs } = splitWord(word, analysis && Object.keys(analysis.parameters));
  if (name.startsWith("map:")) {
    const inner = parseUdf(word.slice(4));
    if (!inner.analysis) return { ...inner, map: true };
    throw new UsageError(`"${word}" maps no function; write map:./mine.ts or map:./mine.ts#name`);
  }
  const module = MODULE.exec(name) ??
    /^(\w+:\/\/.*?)(?:#(\w+))?$/.exec(name);
  if (module) {
    const [, path, chosen] = module;
    const base = path!.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
    const values = Object.fromEntries(pairs.map(([key, text]) => [key, freeValue(text)]));
    return { key: chosen ?? base, module: path!, ...(chosen ? { export: chosen } : {}), values };
  }
  const known = knownAnalysis(name);
  return { key: name, analysis: known, values: checkedValues(known, name, pairs) };
}

function knownAnalysis(name: string): Analysis {
  const found = findAnalysis(name);
  if (found) return found;
  throw new UsageError(`the UDF "${name}" is unknown; ${hintFor(name)}`);
}

function hintFor(name: string): string {
  const [word, parameters] = name.split(":", 2) as [string, string?];
  const names = ANALYSES.map(({ name }) => name);
  const known = findAnalysis(word)?.name ?? nearest(word, ANALYSIS_WORDS);
  if (known && parameters !== undefined) return `write ${known}, or ${known}:PARAMETER=VALUE,…`;
  if (known) return `did you mean ${known}?`;
  const isPath = /[./\\]/.test(name);
  if (isPath) {
    return "the last argument alone is the source, unless --stack or --each is given, and modules with UDFs end in .ts or .js";
  }
  return `there are ${names.join(", ")}, and paths of modules (.ts, .js)`;
}

function parseExpression(word: string, name: string): UdfWord {
  return {
    key: name,
    analysis: findAnalysis(name)!,
    values: expressionValues(word, expressionPairs(word.slice(name.length + 1))),
  };
}

/** What the words mean, by their keys: files are read, and first passes are made. */
export async function makeUdfs(
  words: readonly UdfWord[],
  facts: AnalysisContext,
): Promise<Record<string, Made>> {
  const made: Record<string, Made> = {};
  const readMasks = async (path: string) =>
    (await import("../inputs/mask_files.ts")).readMasks(path, facts.dataset.sigShape);
  const all: AnalysisContext = { ...facts, readMasks };
  for (const word of words) made[word.key] = await asUsage(() => makeUdf(word, all)); // one first pass after another
  return made;
}

async function makeUdf(word: UdfWord, facts: AnalysisContext): Promise<Made> {
  const values = await readValues(word.values, readArray);
  if (word.analysis) return await make(word.analysis, values, facts);
  return { ref: await moduleUdf(word, values as Params) };
}

async function moduleUdf({ module, map, export: name }: UdfWord, params: Params): Promise<UdfRef> {
  const { moduleUrl } = await import("../shell/module_url.ts");
  const url = moduleUrl(module!);
  const options = { ...(name ? { export: name } : {}), params };
  return map ? (await import("../../udf/builtin/map_frames.ts")).mapFrames(url, options) : udf(url, options);
}
