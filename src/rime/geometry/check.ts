/**
 * Checks that the functions of the geometry share: lengths of arrays, and finite numbers.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionRule } from "../../options.ts";
import { must } from "../../options/rules.ts";

/** The rule for doubles. */
export const float64Array: OptionRule<Float64Array> = must(
  "a Float64Array",
  (value) => value instanceof Float64Array,
);

/** Refuses an array whose length is not a multiple of `unit`; the number of items. */
export function countOf(call: string, name: string, values: ArrayLike<number>, unit: number): number {
  const count = values.length / unit;
  if (Number.isInteger(count)) return count;
  const text = `${call}: ${name} has ${values.length} numbers; it must have ${unit} for each item`;
  throw new TilewiseError("invalid", text, { option: name, found: values.length, expected: unit });
}

/** Refuses numbers that are not finite; the message has the item of `unit` numbers in which the first one is. */
export function mustBeFinite(call: string, name: string, values: ArrayLike<number>, unit: number = 1): void {
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    const place = unit === 1 ? `${name}[${i}]` : `${name}[${Math.floor(i / unit)}][${i % unit}]`;
    const text = `${call}: ${place} is ${values[i]}; coordinates must be finite`;
    throw new TilewiseError("invalid", text, { option: name, found: String(values[i]), index: i });
  }
}

/** Refuses one number that is not finite. */
export function mustBeNumber(call: string, name: string, value: number): void {
  if (Number.isFinite(value)) return;
  const text = `${call}: ${name} is ${value}; it must be a finite number`;
  throw new TilewiseError("invalid", text, { option: name, found: String(value) });
}
