/**
 * Arrays by name whose types are known where they are used, such as scratch of one of several methods.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";
import { type ArrayOf, type DType, isArrayOf, type TypedArray } from "./dtype.ts";

/** Arrays by name, of these dtypes. */
export type NamedArrays<T extends Readonly<Record<string, DType>>> = {
  readonly [K in keyof T]: ArrayOf<T[K]>;
};

/**
 * The arrays of `types` among `given`, checked: that is where their types come from.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { sums } = arraysOf({ sums: Float64Array.of(1, 2), more: new Int8Array(1) }, { sums: "float64" });
 * assertEquals(sums.map((sum) => 2 * sum), Float64Array.of(2, 4));
 * ```
 */
export function arraysOf<const T extends Readonly<Record<string, DType>>>(
  given: Readonly<Record<string, TypedArray | undefined>>,
  types: T,
): NamedArrays<T> {
  for (const [name, dtype] of Object.entries(types)) {
    if (isArrayOf(given[name], dtype)) continue;
    const found = inWords(given[name]);
    throw new TilewiseError("invalid", `"${name}" must be an array of ${dtype}, it is ${found}`, { found });
  }
  return given as NamedArrays<T>; // each of them has just been looked at
}
