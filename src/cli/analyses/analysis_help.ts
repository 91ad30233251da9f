/**
 * Help on analyses, from their table: a list of all, and a page of each.
 *
 * @module
 */

import { type Analysis, GROUPS, type Parameter, written } from "../../analyses/analysis.ts";
import { ANALYSES, ANALYSIS_WORDS, findAnalysis } from "../../analyses/words.ts";
import { UsageError } from "../shell/args.ts";
import { nearest } from "../../options.ts";

/** Words that are not names, for the help: how they are written and what they mean. */
const MODULES: readonly (readonly [word: string, help: string])[] = [
  [
    "./mine.ts",
    "a module that exports a UDF or a kernel; ./mine.ts#name, ./mine.ts:threshold=3,gain=@gain.npy",
  ],
  ["map:./mine.ts", "a module that exports a function of a frame; map:./mine.ts#name:least=3"],
];

/** Columns of the help. */
const COLUMNS = 118;
const INDENT = 22;

/** All analyses by group, with their parameters and defaults. */
export function analysisList(): string[] {
  return [
    "UDFs, with parameters as in annular_detector:cy=64,cx=64,ri=20,ro=60 (default after =; * must be given):",
    ...GROUPS.flatMap((group) => [
      "",
      `  ${group}`,
      ...ANALYSES.filter((analysis) => analysis.group === group).flatMap(listed),
      ...(group === "Your own" ? MODULES.map(([word, help]) => `    ${column(word)}${help}`) : []),
    ]),
    "",
    '"tilewise help run NAME" tells what the parameters of one are, and its results.',
  ];
}

function listed({ name, aliases = [], help, parameters }: Analysis): string[] {
  const words = Object.entries(parameters).map(([name, parameter]) => shortly(name, parameter));
  const also = aliases.length > 0 ? ` (also ${aliases.join(", ")})` : "";
  return [`    ${column(name)}${help}${also}`, ...wrapped(words, INDENT + 4)];
}

/** A name and its default, where that is a plain value. */
function shortly(name: string, { preset }: Parameter): string {
  if (preset === undefined) return `${name}*`;
  return /^[\w.-]+$/.test(preset) && !/^(none|all|everywhere)$/.test(preset) ? `${name}=${preset}` : name;
}

function column(word: string): string {
  return word.padEnd(INDENT - 1) + " ";
}

/** Words in lines that are not too long. */
function wrapped(words: readonly string[], indent: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + word.length <= COLUMNS) {
      lines[lines.length - 1] = `${last}  ${word}`;
    } else lines.push(" ".repeat(indent) + word);
  }
  return lines;
}

/** The page of the analysis that `words` name first; nothing where they name none. */
export function analysisHelp(words: readonly string[]): string | undefined {
  const names = words.map((word) => word.replace(/:.*$/s, "")).filter((name) => !/[./\\]/.test(name));
  const found = names.map(findAnalysis).find((analysis) => analysis !== undefined);
  if (found) return page(found);
  const name = names[0];
  if (name === undefined || words.length > 1) return undefined;
  const near = nearest(name, ANALYSIS_WORDS);
  throw new UsageError(
    `the UDF "${name}" is unknown; ${near ? `did you mean ${near}?` : 'see "tilewise run --help"'}`,
  );
}

function page(analysis: Analysis): string {
  const { name, aliases = [], help, notes = [], parameters, results, usage, example = name } = analysis;
  const all = Object.entries(parameters);
  const lines = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([head]) => head.length));
    return rows.map(([head, text]) => `  ${head.padEnd(width + 2)}${text}`);
  };
  return [
    `${name}: ${help}.`,
    "",
    `Usage: tilewise run ${name}${usage ?? (all.length > 0 ? "[:PARAMETER=VALUE,…]" : "")} SOURCE [flags]`,
    ...(aliases.length > 0 ? [`Other words for it: ${aliases.join(", ")}.`] : []),
    "",
    ...(all.length > 0
      ? ["Parameters:", ...lines(all.map(([name, one]) => [name, described(one)])), ""]
      : []),
    "Results:",
    ...lines(Object.entries(results)),
    "",
    ...(notes.length > 0 ? [...notes, ""] : []),
    "Example:",
    `  tilewise run ${quoted(example)} scan.mib -o ${name}.npy`,
    "",
  ].join("\n");
}

function described(parameter: Parameter): string {
  const { meaning, unit, preset } = parameter;
  const isPlain = parameter.kinds.length === 1 && parameter.kinds[0] === "number";
  const isLong = (parameter.words?.length ?? 0) > 6; // the notes tell
  const how = isPlain || isLong || meaning.includes("FILE") || /y:x|i:j/.test(meaning)
    ? ""
    : `; ${written(parameter)}`;
  const inUnit = unit ? `, in ${unit}` : "";
  const rest = preset === undefined ? "; must be given" : preset === "–" ? "" : `; default ${preset}`;
  return `${meaning}${inUnit}${how}${rest}`;
}

/** Quotes where a shell would see an end of the command. */
function quoted(word: string): string {
  return /[;()&|<>*]/.test(word) && !word.includes("'") ? `'${word}'` : word;
}
