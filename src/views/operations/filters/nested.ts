/**
 * Windows given as nested lists, such as `[[0, 1, 0], [1, 1, 1], [0, 1, 0]]`.
 *
 * @module
 */

import type { OptionRule } from "../../../options.ts";
import { must } from "../../../options/rules.ts";
import { type Shape, sizeOf, unravel } from "../../../space/shape.ts";

/**
 * Numbers in lists of lists, as deep as the array has dimensions, all of odd length: the middle one belongs to the sample
 * itself.
 * @category Views
 */
export type Nested = readonly number[] | readonly Nested[];

/** A window of numbers, row-major. */
export interface WindowNumbers {
  /** Samples per dimension. */
  readonly shape: Shape;
  /** The numbers. */
  readonly values: readonly number[];
}

/** The rule for {@link Nested}. */
export const nestedRule: OptionRule<Nested> = must(
  "numbers in nested lists of equal, odd lengths, one level per dimension",
  (value) => windowOf(value) !== undefined,
);

/** The window of nested lists that follow the rule. */
export function windowNumbers(value: Nested): WindowNumbers {
  return windowOf(value)!;
}

/** Samples on both sides. */
export function radiusOfWindow(value: Nested): Shape {
  return windowNumbers(value).shape.map((n) => (n - 1) / 2);
}

/** The window that a value is; undefined if it is not a window. */
function windowOf(value: unknown): WindowNumbers | undefined {
  const shape: number[] = [];
  for (let inner = value; Array.isArray(inner); inner = inner[0]) shape.push(inner.length);
  if (shape.length === 0 || shape.some((n) => n % 2 === 0)) return undefined;
  const values = (value as unknown[]).flat(shape.length - 1);
  const isNumber = (item: unknown): item is number => typeof item === "number" && Number.isFinite(item);
  if (!values.every(isNumber) || !isEven(value, shape, 0)) return undefined;
  return { shape, values };
}

/** Whether lists have the same lengths at each level. */
function isEven(value: unknown, shape: Shape, d: number): boolean {
  if (d === shape.length) return !Array.isArray(value);
  return Array.isArray(value) && value.length === shape[d] &&
    value.every((item) => isEven(item, shape, d + 1));
}

/** Bytes from the first sample of a window to those at which `has` is true, row-major. */
export function offsetsIn(window: Shape, strides: Shape, has: (index: number) => boolean): number[] {
  const offsets: number[] = [];
  for (let i = 0; i < sizeOf(window); i++) {
    if (has(i)) offsets.push(unravel(i, window).reduce((sum, p, d) => sum + p * strides[d]!, 0));
  }
  return offsets;
}
