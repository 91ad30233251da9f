/**
 * Templates stamped at many places: one mask per lattice point, or several points per mask.
 *
 * @module
 */

import type { NDArray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import type { SparseMasks } from "./sparse.ts";
import { diskStamps, type Stamp, stamped } from "./stamped.ts";

/**
 * A sparse stack with `template` at every place; parts outside of the frame are dropped, and overlapping parts are
 * added. A template without a pixel of the frame is refused.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import * as masks from "@tilewise/tilewise/unstable/masks";
 * import { assertEquals } from "@std/assert";
 * const template = ndarray(Float64Array.of(1, 2), [1, 2], "float64");
 * const stack = masks.stampTemplates([1, 3], template, [{ mask: 0, y: 0, x: 0 }, { mask: 1, y: 0, x: 2 }]);
 * assertEquals([...masks.denseMasks(stack).data], [1, 2, 0, 0, 0, 1]);
 * ```
 * @category Masks
 */
export function stampTemplates(shape: Shape, template: NDArray, stamps: readonly Stamp[]): SparseMasks {
  return stamped(shape, template, stamps, () => true);
}

/**
 * A sparse stack with disks of radius `r` around every place; fractions of places are cut off.
 * @category Masks
 */
export function stampDisks(shape: Shape, r: number, centres: readonly Stamp[]): SparseMasks {
  return stampTemplates(shape, ...diskStamps(shape, r, centres));
}
