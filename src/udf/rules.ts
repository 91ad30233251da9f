/**
 * Rules for the options that calls about runs have in common.
 *
 * @module
 */

import { CORRECTION_OPTIONS } from "../dataset/corrections.ts";
import { checkOptionNames, type OptionRule } from "../options.ts";
import { must, oneOf, wrongValue } from "../options/rules.ts";
import { Context } from "./context.ts";

/** Corrections, or `"none"`. */
export const corrections: OptionRule = (call, option, value) => {
  if (typeof value === "string") return oneOf("none")(call, option, value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongValue(call, option, value, 'an object such as { dark, gain, excluded }, or "none"');
  }
  checkOptionNames(call, value, CORRECTION_OPTIONS as never, option);
};

/** Contexts. */
export const context: OptionRule = must(
  "a context, as createContext() makes it",
  (value) => value instanceof Context,
);
