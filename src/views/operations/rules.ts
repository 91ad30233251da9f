/**
 * Rules for parameters that several operations over views share.
 *
 * @module
 */

import { either, list, must, whole } from "../../options/rules.ts";
import type { OptionRule } from "../../options.ts";

export { radiusRule } from "../../space/halo.ts";

/** Samples on both sides, as many before as behind: a count, or a list with one per dimension. */
export const evenRadiusRule: OptionRule<number | readonly number[]> = either(
  "a number of samples, or a list with one per dimension",
  whole(0),
  list,
);

/** Names of joined arrays. */
export const inputsRule: OptionRule<readonly string[]> = must(
  'a list of different names of arrays, such as ["nir", "red"]',
  (value) =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length &&
    value.every((name) => typeof name === "string" && /^[A-Za-z_]\w*$/.test(name)),
);

/** Numbers from 0, such as standard deviations: one, or a list with one per dimension. */
export const sigmaRule: OptionRule<number | readonly number[]> = perDimensionRule(
  "a number from 0",
  (n) => n >= 0 && n < Infinity,
);

/** Orders of derivatives: one, or a list with one per dimension. */
export const orderRule: OptionRule<number | readonly number[]> = perDimensionRule(
  "a whole number from 0 to 8",
  (n) => Number.isInteger(n) && n >= 0 && n <= 8,
);

function perDimensionRule(
  what: string,
  allows: (n: number) => boolean,
): OptionRule<number | readonly number[]> {
  const one = (value: unknown) => typeof value === "number" && allows(value);
  return must(
    `${what}, or a list with one per dimension`,
    (value) => one(value) || Array.isArray(value) && value.every(one),
  );
}

/** The value for every dimension; the list of a user has been checked to have as many. */
export function perDimension(value: number | readonly number[], rank: number): readonly number[] {
  return typeof value === "number" ? Array<number>(rank).fill(value) : value;
}

/** A function of a number, or of each of several. */
export function eachOf(
  value: number | readonly number[],
  work: (value: number) => number,
): number | readonly number[] {
  return typeof value === "number" ? work(value) : Array.from(value, work);
}
