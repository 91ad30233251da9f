/**
 * Divergence and curl of a vector field on a grid, by the differences of `numpy.gradient`: central ones inside,
 * one-sided ones at the borders. A position without a value is NaN, and so are the derivatives that depend on it.
 *
 * @module
 */

/** Components of a vector field over rows and columns. */
export interface VectorField {
  /** Component along the axis of the rows. */
  readonly y: Float64Array;
  /** Component along the axis of the columns. */
  readonly x: Float64Array;
}

/** Numbers of rows and columns of a grid. */
export type GridShape = readonly [rows: number, columns: number];

/** Whether a grid has neighbours in both directions. */
export function hasDerivatives(shape: readonly number[]): shape is GridShape {
  return shape.length === 2 && shape.every((n) => n > 1);
}

/**
 * The derivative along an axis: 0 down the rows, 1 along them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...gradient(Float64Array.of(0, 1, 4, 9), [1, 4], 1)], [1, 2, 4, 5]);
 * ```
 */
export function gradient(values: Float64Array, [rows, columns]: GridShape, axis: 0 | 1): Float64Array {
  const [size, stride] = axis === 0 ? [rows, columns] : [columns, 1];
  return values.map((_, i) => {
    const at = Math.floor(i / stride) % size;
    const before = at === 0 ? i : i - stride;
    const after = at === size - 1 ? i : i + stride;
    return (values[after]! - values[before]!) / ((after - before) / stride);
  });
}

/** ∂y/∂(row) + ∂x/∂(column). */
export function divergence({ y, x }: VectorField, shape: GridShape): Float64Array {
  const down = gradient(x, shape, 1);
  return gradient(y, shape, 0).map((value, i) => value + down[i]!);
}

/** ∂y/∂(column) − ∂x/∂(row). */
export function curl({ y, x }: VectorField, shape: GridShape): Float64Array {
  const down = gradient(x, shape, 0);
  return gradient(y, shape, 1).map((value, i) => value - down[i]!);
}
