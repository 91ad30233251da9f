/**
 * Masks that are mostly zero, as lists of their non-zero weights.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type ArrayOf, type DType, type TypedArray, unitsOf } from "../space/dtype.ts";
import { asNumbers, isBig } from "../space/numbers.ts";
import { type NDArray, zeroArray } from "../space/ndarray.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";

/**
 * A stack of sparse masks: weight `values[i]` at pixel `pixels[i]` of mask `masks[i]`; weights at equal places are
 * added.
 * @category Masks
 */
export interface SparseMasks<D extends DType = DType> {
  /** Number of masks, then the shape of a frame. */
  readonly shape: Shape;
  /** Type of the weights. */
  readonly dtype: D;
  /** Per weight: its mask. */
  readonly masks: Uint32Array;
  /** Per weight: its pixel, counted row by row. */
  readonly pixels: Uint32Array;
  /** The weights; complex ones as pairs. */
  readonly values: ArrayOf<D>;
}

/**
 * Sparse masks from lists, checked.
 * @category Masks
 */
export function sparseMasks<D extends DType>(
  shape: Shape,
  masks: ArrayLike<number>,
  pixels: ArrayLike<number>,
  values: ArrayOf<D>,
  dtype: D,
): SparseMasks<D> {
  const units = unitsOf(dtype);
  const frame = sizeOf(shape.slice(1));
  if (masks.length !== pixels.length || units * masks.length !== values.length) {
    const text = `Cannot make sparse masks: ${masks.length} mask numbers, ${pixels.length} pixels and ` +
      `${values.length} numbers as ${dtype} weights do not belong together`;
    throw new TilewiseError("invalid", text);
  }
  const inside = (list: ArrayLike<number>, size: number) =>
    Array.prototype.every.call(list, (i: number) => Number.isInteger(i) && i >= 0 && i < size);
  if (!inside(masks, shape[0]!) || !inside(pixels, frame)) {
    throw new TilewiseError(
      "invalid",
      `Cannot make sparse masks: a weight lies outside of ${showShape(shape)}`,
    );
  }
  return { shape, dtype, masks: Uint32Array.from(masks), pixels: Uint32Array.from(pixels), values };
}

/**
 * Sparse masks as a dense stack.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sparse = sparseMasks([1, 2, 2], [0, 0], [3, 3], Float64Array.of(1, 2), "float64");
 * assertEquals([...denseMasks(sparse).data], [0, 0, 0, 3]);
 * ```
 * @category Masks
 */
export function denseMasks<D extends DType>(
  { shape, dtype, masks, pixels, values }: SparseMasks<D>,
): NDArray<D> {
  const dense = zeroArray(shape, dtype);
  const data: TypedArray = dense.data, weights = asNumbers(values), units = unitsOf(dtype);
  const big = isBig(data), frame = sizeOf(shape.slice(1));
  masks.forEach((mask, i) => {
    const at = units * (mask * frame + pixels[i]!);
    for (let u = 0; u < units; u++) {
      const weight = weights[units * i + u]!;
      if (big) data[at + u]! += BigInt(weight);
      else data[at + u]! += weight;
    }
  });
  return dense;
}
