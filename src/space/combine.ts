/**
 * Arrays number by number: what a UDF does with the samples of a frame and a buffer of one number per pixel.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NumberArray } from "./dtype.ts";

/**
 * Combines each number of `into` with the number of `values` at the same place, and puts the result in its place.
 *
 * Errors: `invalid` where they are not of the same length.
 *
 * @example The greatest value of every pixel, and sums
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const most = Float32Array.of(1, 7), sums = Float64Array.of(1, 7), frame = Float32Array.of(4, 5);
 * combineInto(most, frame, Math.max);
 * combineInto(sums, frame, (sum, value) => sum + value);
 * assertEquals([[...most], [...sums]], [[4, 7], [5, 12]]);
 * ```
 */
export function combineInto(
  into: NumberArray,
  values: ArrayLike<number>,
  combine: (before: number, value: number) => number,
): void {
  if (values.length !== into.length) {
    const text = `Cannot combine ${values.length} values with ${into.length} numbers; they must be as many`;
    throw new TilewiseError("invalid", text, { expected: into.length, found: values.length });
  }
  for (let i = 0; i < into.length; i++) into[i] = combine(into[i]!, values[i]!);
}
