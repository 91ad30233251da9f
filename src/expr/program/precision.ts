/**
 * The two types in which expressions are computed, and their bits.
 *
 * @module
 */

import type { OptionRule } from "../../options.ts";
import { oneOf } from "../../options/rules.ts";

/**
 * The type of intermediate values.
 * @category Expressions
 */
export type Precision = "float32" | "float64";

/** Facts of a floating-point type. */
export interface FloatFacts {
  /** Its name. */
  readonly name: Precision;
  /** Bytes of a number. */
  readonly bytes: 4 | 8;
  /** Numbers in a vector. */
  readonly lanes: 4 | 2;
  /** Bits of a number. */
  readonly bits: 32 | 64;
  /** Stored bits of the mantissa. */
  readonly mantissa: number;
  /** The bias of exponents. */
  readonly bias: number;
  /** The smallest normal number. */
  readonly tiny: number;
  /** Rounds to this type. */
  readonly round: (value: number) => number;
}

/** The rule for options that hold one. */
export const PRECISION: OptionRule<Precision> = oneOf("float32", "float64");

/** Both types. */
export const FLOATS: Readonly<Record<Precision, FloatFacts>> = {
  float32: {
    name: "float32",
    bytes: 4,
    lanes: 4,
    bits: 32,
    mantissa: 23,
    bias: 127,
    tiny: 2 ** -126,
    round: Math.fround,
  },
  float64: {
    name: "float64",
    bytes: 8,
    lanes: 2,
    bits: 64,
    mantissa: 52,
    bias: 1023,
    tiny: 2 ** -1022,
    round: (value) => value,
  },
};

const view = new DataView(new ArrayBuffer(8));

/** The bits of a number as an unsigned integer. */
export function bitsOf(value: number, precision: Precision): bigint {
  if (precision === "float32") {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** The number that has these bits. */
export function fromBits(bits: bigint, precision: Precision): number {
  if (precision === "float32") {
    view.setUint32(0, Number(bits));
    return view.getFloat32(0);
  }
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
