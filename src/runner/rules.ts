/**
 * Rules for the options that calls about runs have in common.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../options.ts";
import { must } from "../options/rules.ts";
import { type Context, RunContext } from "./context.ts";

/** Contexts. */
export const context: OptionRule<Context> = must(
  "a context, as createContext() makes it",
  (value) => value instanceof RunContext,
);

/** Refuses unknown options of a run, and a context other than that of its plan. */
export function checkRunOptions<T extends object>(
  call: string,
  plan: { readonly context?: Context } | undefined,
  options: T,
  names: OptionNames<T>,
): void {
  const given = options instanceof RunContext ? options : (options as { context?: unknown } | null)?.context;
  if (given instanceof RunContext && given !== plan?.context) {
    const text =
      `${call} runs a plan in the context that it was made for, not in another one; give { context } ` +
      "to the call that plans";
    throw new TilewiseError("invalid", text, { option: "context" });
  }
  checkOptionNames(call, options, names);
}
