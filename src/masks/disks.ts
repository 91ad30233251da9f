/**
 * Disks, rings and rectangles.
 *
 * @module
 */

import { checkOptionNames } from "../options.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import { frameSides, truthMask } from "./frame.ts";
import { checkRing, noPixel } from "./geometry.ts";
import {
  type Centre,
  CIRCULAR_OPTIONS,
  type CircularOptions,
  RECTANGULAR_OPTIONS,
  type RectangularOptions,
  RING_OPTIONS,
  type RingOptions,
} from "./options.ts";
import { radialBins } from "./radial_bins.ts";
import { insideOf } from "./small_ring.ts";

/**
 * A disk, `√(dy² + dx²) ≤ r`. Truth values, or float64 when antialiased.
 *
 * @param shape shape of a frame: rows, columns
 * @param options centre and radius in pixels, and whether edges are antialiased
 * @returns the mask
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 * assertEquals([...masks.circular([3, 3], { cy: 1, cx: 1, r: 1 }).data], [0, 1, 0, 1, 1, 1, 0, 1, 0]);
 * ```
 * @category Masks
 */
export function circular(
  shape: Shape,
  options: CircularOptions & {
    /** Pixels on the edge have the share of their area that lies inside. */
    readonly antialiased: true;
  },
): NDArray<"float64">;
/** Without antialiasing: truth values. */
export function circular(
  shape: Shape,
  options: CircularOptions & {
    /** Pixels are either inside or outside. */
    readonly antialiased?: false;
  },
): NDArray<"bool">;
/** With or without antialiasing. */
export function circular(shape: Shape, options: CircularOptions): NDArray<"bool" | "float64">;
export function circular(shape: Shape, options: CircularOptions): NDArray<"bool" | "float64"> {
  checkOptionNames("circular()", options, CIRCULAR_OPTIONS);
  const { cy, cx, r, antialiased } = options;
  const sides = frameSides(shape, "a disk");
  if (antialiased) return onlyBin(shape, { cy, cx, ro: r, ri: 0 });
  checkRing("a disk", sides, { cy, cx, ro: r });
  return truthMask(sides, insideOf({ cy, cx, ro: r }));
}

/**
 * A ring, `ri < √(dy² + dx²) ≤ ro`. Truth values, or float64 when antialiased.
 *
 * @param shape shape of a frame: rows, columns
 * @param options centre and both radii in pixels, and whether edges are antialiased
 * @returns the mask
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 * assertEquals([...masks.ring([3, 3], { cy: 1, cx: 1, ro: 1, ri: 0 }).data], [0, 1, 0, 1, 0, 1, 0, 1, 0]);
 * ```
 * @category Masks
 */
export function ring(
  shape: Shape,
  options: RingOptions & {
    /** Pixels on the edge have the share of their area that lies inside. */
    readonly antialiased: true;
  },
): NDArray<"float64">;
/** Without antialiasing: truth values. */
export function ring(
  shape: Shape,
  options: RingOptions & {
    /** Pixels are either inside or outside. */
    readonly antialiased?: false;
  },
): NDArray<"bool">;
/** With or without antialiasing. */
export function ring(shape: Shape, options: RingOptions): NDArray<"bool" | "float64">;
export function ring(shape: Shape, options: RingOptions): NDArray<"bool" | "float64"> {
  checkOptionNames("ring()", options, RING_OPTIONS);
  const { cy, cx, ro, ri, antialiased } = options;
  const sides = frameSides(shape, "a ring");
  if (antialiased) return onlyBin(shape, { cy, cx, ro, ri });
  checkRing("a ring", sides, { cy, cx, ro, ri });
  return truthMask(sides, insideOf({ cy, cx, ro, ri }));
}

function onlyBin(shape: Shape, options: Centre & { ro: number; ri: number }): NDArray<"float64"> {
  return ndarray(radialBins(shape, { ...options, bins: 1 }).data, shape, "float64");
}

/**
 * A rectangle that includes both corners: `height` 2 makes 3 rows. Neither is 0, and it has a pixel of the frame. Truth values.
 *
 * @param shape shape of a frame: rows, columns
 * @param options first corner, height and width in pixels
 * @returns the mask
 * @throws {TilewiseError} `invalid` if no pixel of the frame is inside
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 * const corner = masks.rectangular([3, 3], { y: 1, x: 1, height: -1, width: -1 });
 * assertEquals([...corner.data], [1, 1, 0, 1, 1, 0, 0, 0, 0]);
 * ```
 * @category Masks
 */
export function rectangular(shape: Shape, options: RectangularOptions): NDArray<"bool"> {
  checkOptionNames("rectangular()", options, RECTANGULAR_OPTIONS);
  const { y, x, height, width } = options;
  const sides = frameSides(shape, "a rectangle");
  const [top, bottom] = span(y, height);
  const [left, right] = span(x, width);
  const reaches = (first: number, last: number, side: number) => last >= 0 && first < side;
  const isEmpty = height === 0 || width === 0 || !reaches(top, bottom, sides[0]) ||
    !reaches(left, right, sides[1]);
  if (isEmpty) throw noPixel("a rectangle", shape, `in ${height} × ${width} px from (${y}, ${x}) on`);
  return truthMask(sides, (py, px) => py >= top && py <= bottom && px >= left && px <= right);
}

/** First and last pixel; fractions are cut off. */
function span(from: number, size: number): [number, number] {
  return [Math.trunc(Math.min(from, from + size)), Math.trunc(Math.max(from, from + size))];
}
