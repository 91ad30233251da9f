/**
 * Filters as words of the command line: those of the table, or the path of a module with a function or a kernel over views.
 *
 * @module
 */

import type { Filter, FilterValue, WordDefaults } from "../../analyses/filters/filter.ts";
import type { Pairs } from "../../analyses/word_error.ts";
import * as words from "../../analyses/filters/words.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { asUsage } from "../flags/usage.ts";
import { UsageError } from "../shell/args.ts";
import { moduleIn } from "./module_word.ts";

/** The operation that a word means. What compiles expressions or code of users is loaded only for such words. */
export async function operationOf(text: string, defaults: WordDefaults = {}): Promise<ViewOperation> {
  if (words.isExpression(text)) {
    const { filterOf } = await import("../../analyses/filters/expression.ts");
    return asUsage(() => filterOf(text, defaults));
  }
  const { name, pairs } = partsOf(text);
  const module = moduleIn(name);
  if (module) return (await import("./own.ts")).ofCode(module, pairs, defaults);
  findFilter(name);
  return asUsage(() => words.namedFilter(text, defaults));
}

/** The path of the module that a word names, if it names one. */
export function modulePath(text: string): string | undefined {
  return moduleIn(text.replace(/:[A-Za-z_]\w*=.*$/s, ""))?.path;
}

/** The filter called `name`; {@link UsageError} if there is none. */
export function findFilter(name: string): Filter {
  const found = words.findFilter(name);
  if (found) return found;
  if (!/[./\\]/.test(name)) {
    throw new UsageError(words.unknownFilter(name, "paths of modules (.ts, .js)").message);
  }
  throw new UsageError(
    `the filter "${name}" is unknown; the last argument alone is the source, unless --stack or --each is given, and modules with functions end in .ts or .js`,
  );
}

/** The name and the parameters of a word. */
export function partsOf(text: string): { readonly name: string; readonly pairs: Pairs } {
  return asUsage(() => words.partsOf(text));
}

/** The values of the parameters of a filter or a reduction that `pairs` give. */
export function valuesOf(
  filter: Pick<Filter, "name" | "parameters">,
  pairs: Pairs,
): Record<string, FilterValue> {
  return asUsage(() => words.valuesOf(filter, pairs));
}
