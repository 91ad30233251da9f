/**
 * Sums of counts, refused where numbers stop being exact.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/**
 * The sum of some counts; `overflow` beyond 2^53 − 1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(checkedSum([1, 2], "all"), 3);
 * ```
 */
export function checkedSum(counts: readonly number[], what: string): number {
  const sum = counts.reduce((a, b) => a + b, 0);
  if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  throw new TilewiseError("overflow", `Cannot size ${what}: together they are more than 2^53 bytes`, {
    expected: Number.MAX_SAFE_INTEGER,
    found: sum,
  });
}
