/**
 * Samples as another type: which types there are, and which numbers fit.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type DType, dtypeInfo, type TypedArray, unitType } from "./dtype.ts";
import { setNumber } from "./numbers.ts";

/** Types that samples can become. */
export const CAST_TYPES: readonly DType[] = [
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "float64",
  "complex64",
  "complex128",
];

/** Refuses types that samples of `what`, of type `from`, cannot become. */
export function mustCast(what: string, from: DType, to: DType): void {
  const isComplex = dtypeInfo(from).kind === "c";
  const known = CAST_TYPES.filter((type) => (dtypeInfo(type).kind === "c") === isComplex);
  if (known.includes(to)) return;
  const expected = known.join(", ");
  const text = `Cannot make ${to} of ${what} of ${from}; they can become ${expected}`;
  throw new TilewiseError("unsupported", text, { option: "dtype", expected, found: to });
}

/** Sets one number of an array, of float32 the nearest. */
export function setNearest(array: TypedArray, at: number, value: number | bigint): void {
  setNumber(array, at, array instanceof Float32Array ? beforeSingle(value) : value);
}

/**
 * A number that rounds to the float32 that is nearest to `value`. An integer of 64 bits would be rounded twice, by way of
 * float64; here the last of its first 42 bits or more says whether any behind is set, so that no false tie arises.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const value = 2n ** 60n + 2n ** 36n + 1n;
 * assertEquals(Math.fround(beforeSingle(value)), 2 ** 60 + 2 ** 37);
 * assertEquals(Math.fround(Number(value)), 2 ** 60);
 * ```
 */
export function beforeSingle(value: number | bigint): number {
  if (typeof value === "number" || BigInt.asIntN(54, value) === value) return Number(value);
  return Number(value >> 12n | (value & 0xfffn ? 1n : 0n)) * 4096;
}

/** The least number whose nearest float32 is infinite. */
const BEYOND_SINGLE = (2 - 2 ** -24) * 2 ** 127;

/**
 * The place of the first number that is not near any sample of `dtype`: beyond its ends, or NaN among integers; -1: all fit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(firstUnfit(Float64Array.of(-0.5, 255.4, 255.5), "uint8"), 2);
 * assertEquals(firstUnfit(Float64Array.of(1, NaN), "int32"), 1);
 * assertEquals(firstUnfit(Float64Array.of(NaN, Infinity, 1e39), "float32"), 2);
 * ```
 */
export function firstUnfit(numbers: Float64Array, dtype: DType): number {
  const { kind, itemSize } = dtypeInfo(unitType(dtype));
  if (kind === "f") {
    return itemSize === 8
      ? -1
      : numbers.findIndex((n) => n !== Infinity && n !== -Infinity && Math.abs(n) >= BEYOND_SINGLE);
  }
  const count = 2 ** (8 * itemSize), least = kind === "i" ? -count / 2 : 0;
  const [from, to] = [least - 0.5, least + count - 0.5];
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!;
    if (!(n >= from && n < to)) return i;
  }
  return -1;
}

/** The error for a sample of `what` that does not fit. */
export function unfit(what: string, value: number, place: readonly number[], dtype: DType): TilewiseError {
  const { kind, itemSize } = dtypeInfo(unitType(dtype));
  const least = kind === "i" ? -(2 ** (8 * itemSize - 1)) : 0;
  const expected = kind === "f" ? "numbers below 3.4e38" : `${least} to ${least + 2 ** (8 * itemSize) - 1}`;
  const at = place.length > 0 ? ` at ${place.join(", ")}` : "";
  const text =
    `Cannot make ${dtype} of ${what}: the sample${at} is ${value}, and ${dtype} holds ${expected}; ` +
    "choose another type, or change such samples first";
  return new TilewiseError("invalid", text, { option: "dtype", expected, found: value });
}
