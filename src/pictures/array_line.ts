/**
 * An array as one line of text.
 *
 * @module
 */

import { dtypeInfo } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { numberBlocks } from "../sinks/arrays/numbers.ts";
import { limitsIn } from "./scale.ts";

/**
 * One line: shape, dtype, range, and how much of it is valid.
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * assertEquals(arrayLine(ndarray(Uint8Array.of(1, 9), [2], "uint8")), "2 uint8, from 1 to 9");
 * ```
 */
export function arrayLine(array: NDArray): string {
  const [low, high] = limitsIn(numberBlocks(array), sizeOf(array.shape));
  const { valid, shape, dtype } = array;
  const share = valid ? valid.reduce((sum, v) => sum + (v ? 1 : 0), 0) / valid.length : 1;
  const missing = share < 1 ? `, ${(100 * share).toFixed(1)} % valid` : "";
  const of = dtypeInfo(dtype).kind === "c" ? "magnitude " : "";
  return `${showShape(shape)} ${dtype}, ${of}from ${short(low)} to ${short(high)}${missing}`;
}

/** Five digits of a number. */
export function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}
