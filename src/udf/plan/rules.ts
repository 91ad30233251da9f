/**
 * Rules for options that several calls about runs share.
 *
 * @module
 */

import { CORRECTION_OPTIONS, type Corrections } from "../../dataset/correction_options.ts";
import { checkOptionNames, isNamed, type OptionRule } from "../../options.ts";
import { oneOf, wrongValue } from "../../options/rules.ts";
import type { CorrectionsInput } from "./corrections.ts";

/** Corrections, or `"none"`. */
export const corrections: OptionRule<CorrectionsInput> = (call, option, value) => {
  if (typeof value === "string") return oneOf("none")(call, option, value);
  if (!isNamed(value)) {
    throw wrongValue(call, option, value, 'an object such as { dark, gain, excluded }, or "none"');
  }
  checkOptionNames<Corrections>(call, value, CORRECTION_OPTIONS, option);
};
