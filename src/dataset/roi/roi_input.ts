/**
 * The forms in which a region of interest can be written.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/**
 * A mask as samples and shape: an `NDArray` will do.
 * @category Regions of interest
 */
export interface RoiMask {
  /** One entry per position, in row-major order; anything but 0 and `false` selects. */
  readonly data: ArrayLike<number | boolean | bigint>;
  /** Its shape; only the number of positions must be that of the scan. */
  readonly shape: Shape;
}

/**
 * A mask by the positions that it selects: flat `indices` or `coordinates`, in the order of its `shape`.
 * @category Regions of interest
 */
export interface SparseMask {
  /** Its shape; only the number of positions must be that of the scan. */
  readonly shape: Shape;
  /** Flat positions that are selected, in any order. */
  readonly indices?: ArrayLike<number>;
  /** Coordinates that are selected, in any order. */
  readonly coordinates?: readonly Coordinate[];
}

/**
 * A mask as nested lists of truth values.
 * @category Regions of interest
 */
export type NestedMask = readonly (boolean | NestedMask)[];

/**
 * A position of the scan; negative coordinates count from the end.
 * @category Regions of interest
 */
export type Coordinate = readonly number[];

/**
 * Positions by a range per dimension; `roi.range` makes it.
 * @category Regions of interest
 */
export interface RangeRegion {
  /** `start:stop` per dimension, such as `0:8, 4:`. */
  readonly range: string;
}

/**
 * Positions by a mask; `roi.mask` makes it.
 * @category Regions of interest
 */
export interface MaskRegion {
  /** The mask. */
  readonly mask: RoiMask;
}

/**
 * Positions by their coordinates; `roi.positions` makes it.
 * @category Regions of interest
 */
export interface PositionsRegion {
  /** The coordinates, in any order. */
  readonly positions: readonly Coordinate[];
}

/**
 * How positions are selected: ranges, a mask in several forms, one coordinate, a list of coordinates, or a
 * list of coordinates with a truth value each (if the first is false, all other positions are selected).
 *
 * Numbers in lists are coordinates. A list of 0 and 1 in the shape of the scan is refused where it would select other
 * positions as a mask: `roi.mask` and `roi.positions` say which of them is meant.
 * @category Regions of interest
 */
export type RoiInput =
  | RangeRegion
  | MaskRegion
  | PositionsRegion
  | RoiMask
  | SparseMask
  | Uint8Array
  | NestedMask
  | Coordinate
  | readonly Coordinate[]
  | readonly (readonly [Coordinate, boolean])[];
