/**
 * The numbers of an image, row by row: one plane, or two for vectors and complex numbers.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import { type Plane, planeOf, reducedPlane } from "../../src/pictures/mod.ts";
import type { ShownImage, ShownVectors } from "./image.ts";

/** What an element can show. */
export type Shown = ShownImage | ShownVectors;

/** Rows of numbers; NaN is shown as missing. */
export interface Planes {
  /** Numbers per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** The values; or the components of vectors, first down, then right. */
  readonly parts: readonly [Plane] | readonly [down: Plane, right: Plane];
}

/** Whether an image is shown by direction and length: vectors, and complex numbers by phase and magnitude. */
export function hasDirections(image: Shown): boolean {
  return "y" in image || isComplex(image.array);
}

/** The numbers of an image. Complex numbers are vectors: the real part right, the imaginary part down. */
export function planesOf(image: Shown): Planes {
  const arrays = "y" in image
    ? [image.y, image.x] as const
    : isComplex(image.array)
    ? [component(image.array, 1), component(image.array, 0)] as const
    : [image.array] as const;
  const first = planeOf(arrays[0]);
  const { width, height } = first;
  return { width, height, parts: arrays.length === 1 ? [first] : [first, planeOf(arrays[1])] };
}

/** Means over blocks of `n × n` numbers. */
export function reduced({ parts: [first, second] }: Planes, n: number): Planes {
  const small = reducedPlane(first, n);
  const { width, height } = small;
  return { width, height, parts: second ? [small, reducedPlane(second, n)] : [small] };
}

/** The sizes of an image: rows and columns. */
export function sizesOf(image: Shown): readonly [rows: number, columns: number] {
  const { shape } = "y" in image ? image.y : image.array;
  const [rows = 0, columns = 0] = shape.slice(-2);
  return [rows, columns];
}

/** What is shown at a sample. */
export type SampleValue =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "vector"; readonly y: number; readonly x: number }
  /** It has not been computed. */
  | { readonly kind: "none" }
  /** There is no such sample. */
  | { readonly kind: "outside" };

/** The value of a sample. */
export function sampleAt(image: Shown, row: number, column: number): SampleValue {
  const [rows, columns] = sizesOf(image);
  if (!(row >= 0 && row < rows && column >= 0 && column < columns)) return { kind: "outside" };
  const at = (array: NDArray) => entry(array, row, column);
  const array = "y" in image ? image.y : image.array;
  if (array.valid && array.valid[row * columns + column] === 0) return { kind: "none" };
  if ("y" in image) return { kind: "vector", y: at(image.y), x: at(image.x) };
  if (!isComplex(image.array)) return { kind: "number", value: at(image.array) };
  return { kind: "vector", y: at(component(image.array, 1)), x: at(component(image.array, 0)) };
}

function entry({ data, stride: [down = 0, right = 0] }: NDArray, row: number, column: number): number {
  return Number(data[row * down + column * right]);
}

function isComplex({ dtype }: NDArray): boolean {
  return dtype === "complex64" || dtype === "complex128";
}

/** The real (0) or imaginary (1) parts of complex numbers, in the same memory. */
function component(array: NDArray, part: 0 | 1): NDArray {
  const { shape, stride, valid } = array;
  const rest = { shape, stride: stride.map((step) => 2 * step), ...(valid ? { valid } : {}) };
  return array.data instanceof Float32Array
    ? { ...rest, dtype: "float32", data: array.data.subarray(part) }
    : { ...rest, dtype: "float64", data: array.data.subarray(part) };
}
