/**
 * Which numbers a dtype can hold, and numbers as a dtype holds them.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";

/**
 * Whether samples of `dtype` can hold `value`: floats hold all numbers (rounded), integers the whole ones in their range.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([fits(300, "uint8"), fits(1.5, "int32"), fits(NaN, "float32"), fits(-1, "int64")], [false, false, true, true]);
 * ```
 */
export function fits(value: number, dtype: DType): boolean {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (kind === "f" || kind === "c") return true;
  if (!Number.isSafeInteger(value)) return false;
  if (kind === "b") return value === 0 || value === 1;
  const bits = 8 * itemSize;
  return kind === "u" ? value >= 0 && value < 2 ** bits : Math.abs(value + 0.5) < 2 ** (bits - 1);
}

/** The number as samples of `dtype` hold it, rounded where need be; it must fit. */
export function rounded(value: number, dtype: DType): number {
  return Number(filled(dtype, 1, value)[0]);
}

/**
 * An array of `length` samples that all are `value`; complex samples have it as real part. It must fit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(filled("complex64", 2, 1), Float32Array.of(1, 0, 1, 0));
 * assertEquals(filled("int64", 1, 7), BigInt64Array.of(7n));
 * ```
 */
export function filled(dtype: DType, length: number, value: number): TypedArray {
  const samples = zeros(dtype, length);
  if (samples instanceof BigInt64Array || samples instanceof BigUint64Array) {
    return samples.fill(BigInt(value));
  }
  if (dtypeInfo(dtype).kind !== "c") return samples.fill(value);
  for (let i = 0; i < samples.length; i += 2) samples[i] = value;
  return samples;
}
