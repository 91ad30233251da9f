/**
 * What an expression is given besides samples: arrays, numbers, precision.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { PRECISION, type Precision } from "../../../expr/program/precision.ts";
import type { Program } from "../../../expr/program/program.ts";
import type { OptionNames } from "../../../options.ts";
import { each, either, list, number } from "../../../options/rules.ts";
import type { ValueRule } from "../../../space/axes.ts";
import { setNearest } from "../../../space/cast.ts";
import { type TypedArray, zeros } from "../../../space/dtype.ts";
import { meaningRule } from "../../../space/meaning/rules.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { asNumbers } from "../../../space/numbers.ts";
import { arrayValue } from "../../../space/rules.ts";
import { sameShape, showShape } from "../../../space/shape.ts";
import type { UdfMeta } from "../../interface/udf.ts";

/**
 * Inputs of {@link expression}.
 * @category Expressions
 */
export interface ExpressionInputs {
  /** Arrays of the shape of a frame: dark frames, gain maps, masks. */
  readonly arrays?: FrameArrays;
  /** Numbers. */
  readonly params?: Readonly<Record<string, number>>;
  /** Type of the values of samples. Default: float32 for integers of 8 and 16 bits and floats up to 32, else float64. */
  readonly precision?: Precision;
  /** What all results mean, see {@link ValueRule}. Default: what follows from their type. */
  readonly values?: ValueRule;
}

/** The names of {@link ExpressionInputs}. */
// deno-fmt-ignore: written by `deno task build`
export const INPUTS: OptionNames<ExpressionInputs> = {
  arrays: each("an object of arrays by name", either("an array", list, arrayValue)),
  params: each("an object of numbers by name", number), precision: PRECISION, values: meaningRule,
};

/** The names of the arrays and numbers of an expression. */
export function names({ arrays = {}, params = {} }: ExpressionInputs) {
  return { arrays: Object.keys(arrays), params: Object.keys(params) };
}

// The arrays that expressions use, checked and converted to the type of the computation.

/**
 * Arrays of the shape of a frame by name; for typed arrays only the length must fit.
 * @category Expressions
 */
export type FrameArrays = Readonly<Record<string, NDArray | TypedArray>>;

/** The arrays of `program` in the type that the kernels take, by their names in the program. */
export function arrayConstants(
  { arrays, precision }: Program,
  given: FrameArrays,
  meta: UdfMeta,
): Record<string, TypedArray> {
  return Object.fromEntries(arrays.map((name) => {
    const values = samplesOf(name, given[name]!, meta), numbers = zeros(precision, values.length);
    for (let i = 0; i < values.length; i++) setNearest(numbers, i, values[i]!);
    return [name, numbers];
  }));
}

/** Bytes of {@link arrayConstants}. */
export function arrayBytes({ arrays, precision }: Program, { pixels }: UdfMeta): number {
  return arrays.length * pixels * PRECISION_BYTES[precision];
}

const PRECISION_BYTES = { float32: 4, float64: 8 } as const;

/** The numbers of one array, pixel by pixel. */
export function numbersOf(name: string, array: NDArray | TypedArray, meta: UdfMeta): ArrayLike<number> {
  return asNumbers(samplesOf(name, array, meta));
}

function samplesOf(name: string, array: NDArray | TypedArray, meta: UdfMeta): TypedArray {
  const { sigShape, pixels } = meta;
  const whole = ArrayBuffer.isView(array) ? undefined : array;
  const data = ArrayBuffer.isView(array) ? array : array?.data;
  const fits = whole ? sameShape(whole.shape, sigShape) : data?.length === pixels;
  if (!data || !fits || whole?.dtype.startsWith("complex")) {
    const found = whole
      ? `${showShape(whole.shape)} ${whole.dtype}`
      : data
      ? `${data.length} numbers`
      : "nothing";
    const text = `Cannot use the array "${name}" of ${found}: frames are ${
      showShape(sigShape)
    }, arrays are real`;
    throw new TilewiseError("invalid", text, {
      option: `arrays.${name}`,
      found,
      expected: showShape(sigShape),
    });
  }
  return data;
}
