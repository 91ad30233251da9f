/**
 * Arrays in memory as another type.
 *
 * @module
 */

import { beforeSingle, firstUnfit, mustCast, unfit, unitType } from "../../space/cast.ts";
import { type DType, dtypeInfo, unitsOf, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { unravel } from "../../space/shape.ts";
import { denseData } from "./dense.ts";
import { validity } from "./numbers.ts";

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
  const read = unitType(dtype) === "float32" ? beforeSingle : Number;
  const numbers = Float64Array.from(denseData(array) as ArrayLike<number | bigint>, read);
  if (valid) numbers.forEach((_, i) => isValid(Math.floor(i / units)) || (numbers[i] = 0));
  const bad = firstUnfit(numbers, dtype);
  if (bad >= 0) throw unfit(what, numbers[bad]!, unravel(Math.floor(bad / units), shape), dtype);
  const isWhole = dtypeInfo(unitType(dtype)).kind !== "f";
  const data = zeros(dtype, numbers.length / units);
  for (let i = 0; i < numbers.length; i++) data[i] = isWhole ? nearestEven(numbers[i]!) : numbers[i]!;
  return {
    ...ndarray(data, shape, dtype, valid),
    ...(axes ? { axes } : {}),
    ...(values ? { values } : {}),
  };
}

/** The nearest whole number, of two the even one. */
function nearestEven(value: number): number {
  const near = Math.round(value);
  return near - value === 0.5 && near % 2 !== 0 ? near - 1 : near;
}
