/**
 * The types of values in tables of casacore, by the numbers that its files use.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";

/** Numbers of types that need code of their own. */
export const TYPE = { bool: 0, text: 11, table: 12, record: 25 } as const;

/** Types of numbers; a `bool` is one bit in storage managers, and one byte in headers. */
const NUMBERS: Readonly<Record<number, DType>> = {
  0: "bool",
  1: "int8",
  2: "uint8",
  3: "int16",
  4: "uint16",
  5: "int32",
  6: "uint32",
  7: "float32",
  8: "float64",
  9: "complex64",
  10: "complex128",
  29: "int64",
};

/** Types of arrays in records, and the types of their values. */
const ARRAYS: Readonly<Record<number, number>> = {
  13: 0,
  14: 1,
  15: 2,
  16: 3,
  17: 4,
  18: 5,
  19: 6,
  20: 7,
  21: 8,
  22: 9,
  23: 10,
  24: TYPE.text,
  30: 29,
};

/** The sample type of numbers; `undefined` for texts, tables and records. */
export function dtypeOfType(type: number): DType | undefined {
  return NUMBERS[type];
}

/** The type of the values of an array in a record; `undefined` if `type` is none of an array. */
export function elementType(type: number): number | undefined {
  return ARRAYS[type];
}
