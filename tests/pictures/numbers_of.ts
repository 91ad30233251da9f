/**
 * All numbers of an array at once, which pictures never need.
 *
 * @module
 */

import { numberReader } from "../../src/sinks/arrays/numbers.ts";
import type { NDArray } from "../../src/space/ndarray.ts";
import { sizeOf } from "../../src/space/shape.ts";

/** The values of `array` in row-major order, see `numberReader`. */
export function numbersOf(array: NDArray): Float64Array {
  const out = new Float64Array(sizeOf(array.shape));
  numberReader(array)(0, out);
  return out;
}
