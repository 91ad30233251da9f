/**
 * Polar coordinates over a frame.
 *
 * @module
 */

import { angleOf, cosine, sine } from "../space/functions/functions.ts";
import { checkOptionNames } from "../options.ts";
import type { NDArray } from "../space/ndarray.ts";
import type { Shape } from "../space/shape.ts";
import { type Centre, MAP_OPTIONS, type PolarOptions } from "./options.ts";
import { floatMask, frameSides } from "./frame.ts";

/**
 * Radius and angle of every pixel.
 * @category Masks
 */
export interface PolarMap {
  /** Distance from the centre, in pixels; float64, shape of a frame. */
  readonly radius: NDArray<"float64">;
  /** `atan2(dy, dx)`, in radians: 0 to the right, increasing towards larger y; float64, shape of a frame. */
  readonly angle: NDArray<"float64">;
}

/**
 * Radius and angle of every pixel of a frame of `shape` around a centre, optionally stretched to ellipses.
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/unstable/masks";
 * import { assertEquals } from "@std/assert";
 * const { radius } = masks.polarMap([1, 3], { cy: 0, cx: 1 });
 * assertEquals([...radius.data], [1, 0, 1]);
 * ```
 * @category Masks
 */
export function polarMap(shape: Shape, options: PolarOptions): PolarMap {
  checkOptionNames<PolarOptions>("polarMap()", options, MAP_OPTIONS);
  const { cy, cx, stretchY = 1, angle = 0 } = options;
  const sides = frameSides(shape, "a polar map");
  const [cos, sin] = [cosine(angle), sine(angle)];
  const plain = stretchY === 1 && angle === 0;
  const offset = (y: number, x: number): [number, number] => {
    const [dy, dx] = [y - cy, x - cx];
    return plain ? [dy, dx] : [(dy * cos - dx * sin) / stretchY, dx * cos + dy * sin];
  };
  return {
    radius: floatMask(sides, (y, x) => {
      const [dy, dx] = offset(y, x);
      return Math.sqrt(dy * dy + dx * dx);
    }, "float64"),
    angle: floatMask(sides, (y, x) => angleOf(...offset(y, x)), "float64"),
  };
}

/**
 * A radius around the centre that covers the whole frame.
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/unstable/masks";
 * import { assertEquals } from "@std/assert";
 * assertEquals(masks.boundingRadius([4, 5], { cy: 2, cx: 2.5 }), 5);
 * ```
 * @category Masks
 */
export function boundingRadius(shape: Shape, { cy, cx }: Centre): number {
  checkOptionNames<PolarOptions>("boundingRadius()", { cy, cx }, MAP_OPTIONS);
  const [height, width] = frameSides(shape, "a bounding radius");
  const dy = Math.max(cy, height - cy);
  const dx = Math.max(cx, width - cx);
  return Math.ceil(Math.sqrt(dy * dy + dx * dx)) + 1;
}
