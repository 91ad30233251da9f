/**
 * The interface of reductions: operations whose result is not an array.
 *
 * A reduction is an entry of the table of operations with `partial`, and a function that merges.
 *
 * @module
 */

import type { Box } from "../../space/box.ts";
import type { ArrayOf, DType } from "../../space/dtype.ts";
import type { Grid } from "../../space/grid.ts";
import type { ViewOperation } from "./operation.ts";

/**
 * The partial result of one tile; its samples are valid until the next one is requested.
 * @category Views
 */
export interface TileResult<D extends DType = DType> {
  /** The samples. */
  readonly data: ArrayOf<D>;
  /** The place of the tile in the array. */
  readonly tile: Box;
}

/**
 * The array that is reduced.
 * @category Views
 */
export interface ReducedArray {
  /** Type of its samples. */
  readonly dtype: DType;
  /** Its shape, in tiles. */
  readonly grid: Grid;
}

/**
 * A reduction, such as {@link sampleRange}: an operation that makes a partial result of every tile, and what becomes
 * of them.
 * @category Views
 */
export interface ViewReduction<R, D extends DType = DType> {
  /** The operation. */
  readonly operation: ViewOperation<D>;
  /** Merges the partial results, which come in row-major order of their tiles, whatever the traversal. */
  readonly merge: (partials: AsyncIterable<TileResult<D>>, array: ReducedArray) => R | Promise<R>;
}
