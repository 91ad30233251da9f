/**
 * Two images as one: their difference, and how much they differ.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import { validity, valuesOf } from "../analysis/statistics.ts";

/** An image of numbers, or of vectors. */
export type Shown = ShownImage | ShownVectors;

/** Rows and columns of an image. */
export function sizeOf(image: Shown): readonly number[] {
  return ("y" in image ? image.y : image.array).shape;
}

/** Why two images have no difference; `undefined`: they have one. */
export function mismatch(first: Shown, second: Shown): string | undefined {
  if ("y" in first !== "y" in second) return "One is a field of vectors, the other has one number per pixel.";
  const [a, b] = [sizeOf(first), sizeOf(second)];
  if (a.every((n, d) => n === b[d])) return undefined;
  return `They differ in size: ${a.join(" × ")} and ${b.join(" × ")} pixels.`;
}

/** That two images have different units, in words; `undefined`: they have the same, or one has none. */
export function unitsOf(
  { unit: a }: Pick<Shown, "unit">,
  { unit: b }: Pick<Shown, "unit">,
): string | undefined {
  if (a === b || a === undefined || b === undefined) return undefined;
  return `Their units differ: ${a} and ${b}. The difference is that of the numbers.`;
}

/** The first minus the second, where both have a value; `undefined` if they do not fit. */
export function differenceOf(first: Shown, second: Shown): Shown | undefined {
  if (mismatch(first, second) !== undefined) return undefined;
  const facts = {
    title: "Difference",
    axes: first.axes,
    ...(first.unit !== undefined && first.unit === second.unit ? { unit: first.unit } : {}),
  };
  if ("y" in first && "y" in second) {
    return { ...facts, y: minus(first.y, second.y), x: minus(first.x, second.x) };
  }
  if ("y" in first || "y" in second) return undefined;
  return { ...facts, array: minus(first.array, second.array) };
}

/** Entry by entry in float64; complex if one of them is. */
function minus(a: NDArray, b: NDArray): NDArray {
  const isComplex = a.dtype.startsWith("complex") || b.dtype.startsWith("complex");
  const [p, q] = [partsOf(a), partsOf(b)];
  const total = a.shape.reduce((product, n) => product * n, 1);
  const units = isComplex ? 2 : 1;
  const data = new Float64Array(total * units);
  for (let i = 0; i < total; i++) for (let u = 0; u < units; u++) data[i * units + u] = p(i, u) - q(i, u);
  const [isA, isB] = [validity(a), validity(b)];
  const valid = Uint8Array.from({ length: total }, (_, i) => isA(i) && isB(i) ? 1 : 0);
  const isWhole = valid.every((on) => on === 1);
  return {
    data,
    shape: a.shape,
    stride: a.stride,
    dtype: isComplex ? "complex128" : "float64",
    ...(isWhole ? {} : { valid }),
  } as NDArray;
}

/** Part `u` of entry `i`: of real numbers the imaginary part is 0. */
function partsOf({ data, dtype }: NDArray): (i: number, u: number) => number {
  if (dtype.startsWith("complex")) return (i, u) => Number(data[2 * i + u]);
  return (i, u) => u === 0 ? Number(data[i]) : 0;
}

/** How two images differ, over the pixels in which both have a finite value. */
export interface Comparison {
  /** Pixels that are compared. */
  readonly count: number;
  /** Pixels whose values differ. */
  readonly unequal: number;
  /** Mean of the differences. */
  readonly mean: number;
  /** Root of the mean of their squares. */
  readonly rms: number;
  /** The largest one, without its sign. */
  readonly most: number;
  /** Pearson's correlation coefficient; NaN where one of them is constant. */
  readonly correlation: number;
}

/** Compares two images of the same size: numbers, magnitudes of complex numbers, or lengths of vectors. */
export function comparisonOf(first: Shown, second: Shown): Comparison {
  const [a, b] = [scalarsOf(first), scalarsOf(second)];
  let [count, unequal, sum, squares, most] = [0, 0, 0, 0, 0];
  let [meanA, meanB, varA, varB, both] = [0, 0, 0, 0, 0];
  for (let i = 0; i < a.total; i++) {
    const [x, y] = [a.value(i), b.value(i)];
    if (!a.valid(i) || !b.valid(i) || !Number.isFinite(x) || !Number.isFinite(y)) continue;
    count++;
    const d = x - y;
    if (d !== 0) unequal++;
    sum += d;
    squares += d * d;
    most = Math.max(most, Math.abs(d));
    const [dx, dy] = [x - meanA, y - meanB];
    meanA += dx / count;
    meanB += dy / count;
    varA += dx * (x - meanA); // Welford, for both and their product
    varB += dy * (y - meanB);
    both += dx * (y - meanB);
  }
  if (count === 0) return { count, unequal, mean: NaN, rms: NaN, most: NaN, correlation: NaN };
  const correlation = varA > 0 && varB > 0 ? both / Math.sqrt(varA * varB) : NaN;
  return { count, unequal, mean: sum / count, rms: Math.sqrt(squares / count), most, correlation };
}

function scalarsOf(image: Shown) {
  const array = "y" in image ? image.y : image.array;
  const total = array.shape.reduce((product, n) => product * n, 1);
  if (!("y" in image)) return { total, value: valuesOf(array), valid: validity(array) };
  const [y, x] = [valuesOf(image.y), valuesOf(image.x)];
  return { total, value: (i: number) => Math.hypot(y(i), x(i)), valid: validity(array) };
}
