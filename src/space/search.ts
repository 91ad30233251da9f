/**
 * Search in ascending lists.
 *
 * @module
 */

/**
 * Number of values below `limit` in ascending `values`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(lowerBound(Uint32Array.of(2, 5, 5, 9), 5), 1);
 * ```
 */
export function lowerBound(values: Uint32Array | Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
