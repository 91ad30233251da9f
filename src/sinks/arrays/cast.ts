/**
 * Arrays in memory as another type.
 *
 * @module
 */

import { beforeSingle, firstUnfit, mustCast, unfit } from "../../space/cast.ts";
import { type DType, dtypeInfo, type TypedArray, unitsOf, unitType, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { unravel } from "../../space/shape.ts";
import { denseData, validity } from "./numbers.ts";

/**
 * The array with samples of type `dtype`: the nearest ones, of two integers the even one. Entries that are not valid become 0.
 * Errors: `invalid` for a sample that does not fit, `unsupported`.
 *
 * @example
 * ```ts
 * import { ndarray } from "../../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const array = ndarray(Float64Array.of(0.5, 1.5, 2), [3], "float64");
 * assertEquals(castArray("a list", array, "uint8").data, Uint8Array.of(0, 2, 2));
 * ```
 */
export function castArray(what: string, array: NDArray, dtype: DType): NDArray {
  const { shape, valid, axes, values } = array;
  if (array.dtype === dtype) return array;
  mustCast(`the samples of ${what}`, array.dtype, dtype);
  const [units, isValid] = [unitsOf(dtype), validity(array)];
  const numbers = numbersOf(denseData(array), dtype);
  if (valid) numbers.forEach((_, i) => isValid(Math.floor(i / units)) || (numbers[i] = 0));
  const data = castSamples(what, numbers, dtype, (sample) => unravel(sample, shape));
  return {
    ...ndarray(data, shape, dtype, valid),
    ...(axes ? { axes } : {}),
    ...(values ? { values } : {}),
  };
}

/** The numbers of samples that become samples of `dtype`. */
export function numbersOf(data: TypedArray, dtype: DType): Float64Array<ArrayBuffer> {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return new Float64Array(data);
  const read = unitType(dtype) === "float32" ? beforeSingle : Number;
  return Float64Array.from(data as ArrayLike<number | bigint>, read);
}

/** Numbers as samples of type `dtype`; `placeOf` says where a sample is that does not fit. */
export function castSamples(
  what: string,
  numbers: Float64Array,
  dtype: DType,
  placeOf: (sample: number) => readonly number[],
): TypedArray {
  const bad = firstUnfit(numbers, dtype), units = unitsOf(dtype);
  if (bad >= 0) throw unfit(what, numbers[bad]!, placeOf(Math.floor(bad / units)), dtype);
  const isWhole = dtypeInfo(unitType(dtype)).kind !== "f";
  const data = zeros(dtype, numbers.length / units);
  for (let i = 0; i < numbers.length; i++) data[i] = isWhole ? nearestEven(numbers[i]!) : numbers[i]!;
  return data;
}

/** The nearest whole number, of two the even one. */
function nearestEven(value: number): number {
  const near = Math.round(value);
  return near - value === 0.5 && near % 2 !== 0 ? near - 1 : near;
}
