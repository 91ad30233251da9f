/**
 * Rules for the options that calls about runs have in common.
 *
 * @module
 */

import type { OptionRule } from "../options.ts";
import { must } from "../options/rules.ts";
import { Context } from "./context.ts";

/** Contexts. */
export const context: OptionRule = must(
  "a context, as createContext() makes it",
  (value) => value instanceof Context,
);
