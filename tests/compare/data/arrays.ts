/**
 * Random arrays as parameters.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { stored } from "./files.ts";
import type { Random } from "./random.ts";
import { type Json, product } from "./spec.ts";
import { heldBy } from "./values.ts";
import { fromWire, toWire, type WireArray } from "./wire.ts";

/** What the numbers of a random array look like. */
export type Filling = "whole" | "fractions" | "few";

/** A random array; `few`: most numbers are 0. */
export function randomArray(
  random: Random,
  shape: readonly number[],
  dtype: DType,
  filling: Filling = "fractions",
): NDArray {
  const { kind } = dtypeInfo(dtype);
  const values = new Float64Array(product(shape) * (kind === "c" ? 2 : 1));
  const least = kind === "b" || kind === "u" ? 0 : -1;
  const most = kind === "b" ? 1 : 9;
  for (let i = 0; i < values.length; i++) {
    if (filling === "few" && random.chance(0.9)) continue;
    const value = filling === "fractions" ? random.real(least * most, most) : random.int(least * most, most);
    values[i] = kind === "b" ? value & 1 : heldBy(value, dtype);
  }
  return ndarray(stored(values, dtype), shape, dtype);
}

/** An array as a parameter. */
export function asParam(array: NDArray): Json {
  return toWire(array) as unknown as Json;
}

/** The array of a parameter. */
export function fromParam(param: Json): NDArray {
  return fromWire(param as unknown as WireArray);
}

/** Numbers as an array of float64 of this shape. */
export function float64(values: ArrayLike<number>, shape: readonly number[]): NDArray {
  return ndarray(Float64Array.from(values), shape, "float64");
}
