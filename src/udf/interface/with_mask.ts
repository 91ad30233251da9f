/**
 * Results with a valid mask of their own.
 *
 * @module
 */

import type { TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { MaskInput } from "../../space/valid.ts";
import type { JsonValue } from "./objects.ts";

/**
 * A result, and which of its samples are valid.
 * @category User-defined functions
 */
export interface Masked<V extends ResultValue | NDArray = ResultValue> {
  /** The result. */
  readonly data: V;
  /** Where it is valid; broadcast to the shape of the result by NumPy's rules. */
  readonly mask: MaskInput;
}

/**
 * A result of `results()` (or of `derive`) with its own valid mask. Without it, a result is valid where frames have
 * been merged.
 *
 * @param data the result
 * @param mask true where it is valid
 * @returns both
 *
 * @example
 * ```ts
 * import { withMask } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const { mask } = withMask(Float32Array.of(1, 2), [true, false]);
 * assertEquals(mask, [true, false]);
 * ```
 * @category User-defined functions
 */
export function withMask<V extends ResultValue | NDArray>(data: V, mask: MaskInput): Masked<V> {
  return { data, mask };
}

/** Whether a value was made by {@link withMask}. */
export function isMasked(value: ResultValue | Masked): value is Masked {
  return typeof value === "object" && "mask" in value && "data" in value;
}

/**
 * What a UDF gives as a result: numbers, or the values of an object buffer.
 * @category User-defined functions
 */
export type ResultValue = TypedArray | readonly JsonValue[];
