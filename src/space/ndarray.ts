/**
 * Arrays as values: samples, shape, strides and dtype, in the structural form that zarrita and ndarray use.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { defined, inWords } from "../options.ts";
import type { AxisFacts, ValueFacts } from "./axes.ts";
import { type ArrayOf, type DType, DTYPES, isArrayOf, type TypedArray, unitsOf, zeros } from "./dtype.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "./shape.ts";

/**
 * An n-dimensional array; complex samples lie in `data` as pairs of floats.
 * @category Arrays
 */
export interface NDArray<D extends DType = DType> {
  /** The samples. */
  readonly data: ArrayOf<D>;
  /** Sizes, slowest dimension first. */
  readonly shape: Shape;
  /** Distance between neighbours, in samples, per dimension. */
  readonly stride: Shape;
  /** Type of the samples. */
  readonly dtype: D;
  /**
   * What is valid, one byte each in row-major order: either per sample, or per position of the first dimensions, for
   * all samples of that position; absent: all.
   */
  readonly valid?: Uint8Array;
  /** Names, kinds, scales and units of the dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[];
  /** What the samples mean. Absent: amounts, or a mask if they are `bool`. */
  readonly values?: ValueFacts;
}

/**
 * A dense row-major array over `data`.
 *
 * @param data its samples
 * @param shape samples per dimension, slowest first
 * @param dtype their type
 * @param valid what is valid, as {@link NDArray} has it; all is, if absent
 * @returns the array; the data are not copied
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { assertEquals } from "@std/assert";
 * const image = ndarray(new Float64Array(6), [2, 3], "float64");
 * assertEquals(image.stride, [3, 1]);
 * ```
 * @category Arrays
 */
export function ndarray<D extends DType>(
  data: ArrayOf<D>,
  shape: Shape,
  dtype: D,
  valid?: Uint8Array,
): NDArray<D> {
  checkParts(data, shape, dtype);
  const units = sizeOf(shape) * (unitsOf(dtype));
  if (data.length !== units) {
    const text = `Cannot make an array of ${
      showShape(shape)
    } ${dtype} from ${data.length} numbers; it needs ${units}`;
    throw new TilewiseError("invalid", text, { expected: units, found: data.length });
  }
  return { data, shape, stride: stridesOf(shape), dtype, ...defined({ valid }) };
}

function checkParts(data: TypedArray, shape: Shape, dtype: DType): void {
  const fail = (option: string, found: unknown, expected: string): never => {
    const text = `Cannot make an array: its ${option} is ${inWords(found)}; it must be ${expected}`;
    throw new TilewiseError("invalid", text, { option, found: inWords(found), expected });
  };
  if (!DTYPES.includes(dtype)) fail("dtype", dtype, `one of ${DTYPES.join(", ")}`);
  if (!Array.isArray(shape)) fail("shape", shape, "a list of sizes, such as [128, 128]");
  const { name } = zeros(dtype, 0).constructor;
  if (!ArrayBuffer.isView(data) || data.constructor.name !== name) {
    fail("data", data, `a ${name}, as ${dtype} samples lie in`);
  }
}

/**
 * An array of zeros.
 * @category Arrays
 */
export function zeroArray<D extends DType>(shape: Shape, dtype: D): NDArray<D> {
  return ndarray(zeros(dtype, sizeOf(shape)), shape, dtype);
}

// Arrays by name whose types are known where they are used, such as scratch of one of several methods.

/** Arrays by name, of these dtypes. */
type NamedArrays<T extends Readonly<Record<string, DType>>> = {
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
