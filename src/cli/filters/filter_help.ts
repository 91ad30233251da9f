/**
 * Help on filters, from their table: a list of all, and a page of each.
 *
 * @module
 */

import { type Filter, FILTER_GROUPS, type FilterParameter } from "../../analyses/filters/filter.ts";
import { FILTERS } from "../../analyses/filters/table.ts";
import { written } from "../../analyses/filters/words.ts";
import { findFilter, modulePath } from "./words.ts";

const INDENT = 18;
const EXPRESSION = "an expression of x and its neighbours, such as expr:'abs(x[0,1] - x) * k;k=2'";
const KERNEL = "a kernel over views, in AssemblyScript; numbers by name are its parameters, in their order";

/** All filters by group, with their parameters and defaults. */
export function filterList(): string[] {
  const module =
    "an export of a module: a function of views, in TypeScript; radius, input and dtype are its options";
  return [
    "Filters, with parameters as in percentile:percent=90,radius=2 (default after =; * must be given). Several are",
    "computed in one pass, one after another:",
    ...FILTER_GROUPS.flatMap((group) => [
      "",
      `  ${group}`,
      ...FILTERS.filter((filter) => filter.group === group).flatMap(listed),
      ...(group === "Your own"
        ? [
          `    ${"expr:'…'".padEnd(INDENT)}${EXPRESSION}`,
          `    ${"./mine.ts#name".padEnd(INDENT)}${module}`,
          `    ${"./mine.as.ts".padEnd(INDENT)}${KERNEL}`,
        ]
        : []),
    ]),
    "",
    '"tilewise help map NAME" tells what the parameters of one are, and its result.',
  ];
}

/** A line of the list: a word, what it means, and its parameters. */
export function listed({ name, help, parameters }: Pick<Filter, "name" | "help" | "parameters">): string[] {
  const words = Object.entries(parameters).map(([key, { preset }]) => {
    if (preset === undefined) return `${key}*`;
    return /^(all|none)$|[ ,]/.test(preset) ? key : `${key}=${preset}`;
  });
  return [`    ${name.padEnd(INDENT)}${help}${words.length > 0 ? `; ${words.join("  ")}` : ""}`];
}

/** The page of the filter that `words` name first; nothing where they name none. */
export function filterHelp(words: readonly string[]): string | undefined {
  const word = words.find((one) => modulePath(one) === undefined && !/[./\\]/.test(one));
  if (word === undefined) return undefined;
  const filter = findFilter(word.replace(/:.*$/s, ""));
  const { name, result, example = name } = filter;
  return helpPage(filter, {
    usage: "[FILTER…] SOURCE -o OUT",
    result: `of the type ${result}`,
    example: `${example} image.tif -o ${name}.npy`,
  });
}

/** The texts of a page that the table of words does not have. */
interface PageTexts {
  readonly usage: string;
  readonly result: string;
  readonly example: string;
}

/** The page of a word. */
export function helpPage(
  { name, help, parameters }: Pick<Filter, "name" | "help" | "parameters">,
  { usage, result, example }: PageTexts,
): string {
  const all = Object.entries(parameters);
  const width = Math.max(0, ...all.map(([key]) => key.length)) + 2;
  return [
    `${name}: ${help}.`,
    "",
    `Usage: tilewise map ${name}${all.length > 0 ? "[:PARAMETER=VALUE,…]" : ""} ${usage} [flags]`,
    "",
    ...(all.length > 0
      ? ["Parameters:", ...all.map(([key, one]) => `  ${key.padEnd(width)}${described(one)}`), ""]
      : []),
    `Result: ${result}.`,
    "",
    "Example:",
    `  tilewise map ${example}`,
    "",
  ].join("\n");
}

function described(parameter: FilterParameter): string {
  const { meaning, preset } = parameter;
  return `${meaning}; ${written(parameter)}; ${preset === undefined ? "must be given" : `default ${preset}`}`;
}
