/**
 * What an expression is given besides samples: arrays, numbers, precision.
 *
 * @module
 */

import { PRECISION, type Precision } from "../../../expr/program/precision.ts";
import type { OptionNames } from "../../../options.ts";
import { each, either, list, number } from "../../../options/rules.ts";
import type { ValueRule } from "../../../space/axes.ts";
import { meaningRule } from "../../../space/meaning/rules.ts";
import { arrayValue } from "../../../space/rules.ts";
import type { FrameArrays } from "./arrays.ts";

/**
 * Inputs of {@link expression}.
 * @category Expressions
 */
export interface ExpressionInputs {
  /** Arrays of the shape of a frame: dark frames, gain maps, masks. */
  readonly arrays?: FrameArrays;
  /** Numbers. */
  readonly params?: Readonly<Record<string, number>>;
  /** Type of the values of samples. Default: float32 for integers of 8 and 16 bits and floats up to 32, else float64. */
  readonly precision?: Precision;
  /** What all results mean, see {@link ValueRule}. Default: what follows from their type. */
  readonly values?: ValueRule;
}

/** The names of {@link ExpressionInputs}. */
// deno-fmt-ignore: written by `deno task build`
export const INPUTS: OptionNames<ExpressionInputs> = {
  arrays: each("an object of arrays by name", either("an array", list, arrayValue)),
  params: each("an object of numbers by name", number), precision: PRECISION, values: meaningRule,
};

/** The names of the arrays and numbers of an expression. */
export function names({ arrays = {}, params = {} }: ExpressionInputs) {
  return { arrays: Object.keys(arrays), params: Object.keys(params) };
}
