/**
 * Help on the words of `map`: filters and reductions.
 *
 * @module
 */

import { filterHelp, filterList, helpPage, listed } from "../filters/filter_help.ts";
import { findReduction, makesLabels, REDUCTIONS } from "../reductions/table.ts";

/** All words, with their parameters and defaults. */
export function wordList(): string[] {
  const filters = filterList();
  const reductions = [
    "At their end, or alone, for tables (-o .csv or .json, or printed) and labels (an image):",
    "",
    ...REDUCTIONS.flatMap(listed),
    "",
    "Filters before them are written to a temporary file beside OUT first.",
    "",
  ];
  return [...filters.slice(0, -1), ...reductions, filters.at(-1)!];
}

/** The page of the filter or reduction that `words` name first; nothing where they name none. */
export function wordHelp(words: readonly string[]): string | undefined {
  const found = words.map((word) => findReduction(word.replace(/:.*$/s, ""))).find((one) =>
    one !== undefined
  );
  if (!found) return filterHelp(words);
  const { result, example } = found;
  const usage = `SOURCE ${makesLabels(found) ? "-o OUT" : "[-o OUT]"}`;
  return helpPage(found, { usage, result, example });
}
