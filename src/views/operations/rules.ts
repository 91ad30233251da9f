/**
 * Rules for parameters that several operations over views share.
 *
 * @module
 */

import { either, list, whole } from "../../options/rules.ts";
import type { OptionRule } from "../../options.ts";

/** Samples on both sides: a count, or a list with one per dimension. */
export const radiusRule: OptionRule = either(
  "a number of samples, or a list with one per dimension",
  whole(0),
  list,
);
