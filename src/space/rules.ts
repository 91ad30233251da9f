/**
 * Rules for options that hold values of this room: sizes in bytes, shapes, sample types, arrays.
 *
 * @module
 */

import type { OptionRule } from "../options.ts";
import { must, oneOf, wrongValue } from "../options/rules.ts";
import { type DType, DTYPES } from "./dtype.ts";
import type { NDArray } from "./ndarray.ts";
import type { Shape } from "./shape.ts";
import { formatBytes, parseBytes } from "./size.ts";

/** Counts of bytes from `least` on: a number, or a size in text. */
export function bytesFrom(least: number): OptionRule<number | string> {
  return (call, option, value) => void byteCount(call, option, value as number | string, least);
}

/** Counts of bytes from 1 on. */
export const bytes: OptionRule<number | string> = bytesFrom(1);

/** Counts of bytes from 0 on. */
export const bytesOrNone: OptionRule<number | string> = bytesFrom(0);

/**
 * The bytes that the option `option` of `call` says, as a number or in text.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(byteCount("createContext()", "memory", "8GiB"), 8 * 2 ** 30);
 * assertThrows(() => byteCount("createContext()", "memory", -1), Error, 'the option "memory" is -1; it must be');
 * ```
 */
export function byteCount(call: string, option: string, value: number | string, least = 1): number {
  const count = typeof value === "string" ? sizeIn(value) : value;
  if (count !== undefined && Number.isSafeInteger(count) && count >= least) return count;
  throw wrongValue(
    call,
    option,
    value,
    `a count of bytes from ${least < 1024 ? least : formatBytes(least)}, or a size in text such as 64MiB`,
  );
}

/** The bytes in text; nothing where it is not a size. */
function sizeIn(text: string): number | undefined {
  try {
    return parseBytes(text);
  } catch {
    return undefined;
  }
}

/** Shapes: lists of sizes from `least` on; messages show the `example`. */
export function shapeFrom(least: 0 | 1, example: string): OptionRule<Shape> {
  const isSize = (n: unknown) => Number.isSafeInteger(n) && n as number >= least;
  return must(
    `a list of whole numbers from ${least}, such as ${example}`,
    (value) => Array.isArray(value) && value.every(isSize),
  );
}

/** Names of sample types. */
export const dtypeName: OptionRule<DType> = oneOf(...DTYPES);

/** Arrays with a shape. */
export const arrayValue: OptionRule<NDArray> = must(
  "an array, as ndarray(data, shape, dtype) makes it",
  isArray,
);

/** Whether a value is an array with a shape. */
export function isArray(value: unknown): value is NDArray {
  const { data, shape, stride, dtype } = (value ?? {}) as Partial<NDArray>;
  return ArrayBuffer.isView(data) && Array.isArray(shape) && Array.isArray(stride) && dtype !== undefined;
}
