/**
 * The words of `map` before the source: filters, and at their end a reduction.
 *
 * @module
 */

import type { ViewOperation } from "../../views/operations/operation.ts";
import { chain } from "../../views/operations/chain.ts";
import { FILTERS } from "../../analyses/filters/table.ts";
import type { FilterValue, WordDefaults } from "../../analyses/filters/filter.ts";
import { modulePath, operationOf, partsOf, valuesOf } from "../filters/words.ts";
import { nearest } from "../../options.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { partsIn } from "../shell/several.ts";
import type { Several } from "../shell/verb.ts";
import type { ReductionWord } from "../reductions/reduction.ts";
import { findReduction, REDUCTIONS } from "../reductions/table.ts";

/** What the words mean. */
export interface Words {
  /** All filters as one; absent: there are none. */
  readonly filters?: ViewOperation;
  /** Whether the filters have been computed already. */
  readonly isDone?: true;
  /** The reduction at their end. */
  readonly reduction?: {
    readonly row: ReductionWord;
    readonly values: Readonly<Record<string, FilterValue>>;
  };
}

/** How `map` takes several sources. */
export const MAP_SOURCES: Several = { isWord: isMapWord, out: "flag", ending: "npy" };

/** Whether a word is called like a filter, a reduction or a module, whatever its parameters are. */
function isMapWord(word: string): boolean {
  const name = word.replace(/:[A-Za-z_]\w*=.*$/s, "");
  return /^expr(:|$)/.test(word) || modulePath(word) !== undefined || findReduction(name) !== undefined ||
    FILTERS.some((filter) => filter.name === word.split(":", 1)[0]);
}

/** The words before the source. */
export function wordsOf(args: Arguments): readonly string[] {
  return partsIn(args, MAP_SOURCES).words;
}

/** The modules that words name, each once. */
export function mapModules(words: readonly string[]): string[] {
  return [...new Set(words.map(modulePath).filter((path) => path !== undefined))];
}

/** What the words mean; {@link UsageError} for words that mean nothing. */
export async function parseWords(words: readonly string[], defaults: WordDefaults): Promise<Words> {
  const last = words.at(-1)!;
  const row = reductionIn(last);
  const filters = row ? words.slice(0, -1) : words;
  const early = filters.map(reductionIn).find((found) => found !== undefined);
  if (early) {
    throw new UsageError(`${early.name} must be the last of the filters: its result is not a filtered image`);
  }
  const { inputs, ...others } = defaults;
  if (inputs && filters.length === 0) {
    throw new UsageError("--with is for filters: an expression, a function or a kernel of your own");
  }
  const operations: ViewOperation[] = [];
  for (const [n, word] of filters.entries()) {
    operations.push(await operationOf(word, n === 0 ? defaults : others));
  }
  return {
    ...(operations.length > 0 ? { filters: chain(operations) } : {}),
    ...(row ? { reduction: { row, values: valuesOf(row, partsOf(last).pairs) } } : {}),
  };
}

/** The reduction that a word names. A name like one of them alone is a mistake. */
function reductionIn(word: string): ReductionWord | undefined {
  const { name } = /^expr(:|$)/.test(word) ? { name: "" } : partsOf(word);
  const found = findReduction(name);
  if (found || modulePath(word) !== undefined) return found;
  const names = REDUCTIONS.map(({ name }) => name);
  const near = nearest(name, [...FILTERS.map(({ name }) => name), ...names]);
  if (near === undefined || near === name || !names.includes(near)) return undefined;
  throw new UsageError(`the filter "${name}" is unknown; did you mean ${near}?`);
}
