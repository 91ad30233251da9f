/**
 * Masks whose values grow or change sign over the frame: ramps, and templates with a negative ring.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkOptionNames } from "../options.ts";
import { asNumbers } from "../space/numbers.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { checkArray } from "../space/check_array.ts";
import type { Shape } from "../space/shape.ts";
import { circular, ring } from "./disks.ts";
import { floatMask, frameSides } from "./frame.ts";
import { checkRing, noPixel } from "./geometry.ts";
import {
  CIRCULAR_OPTIONS,
  type CircularOptions,
  GRADIENT_OPTIONS,
  type RadialGradientBackgroundOptions,
  RING_OPTIONS,
  type RingOptions,
} from "./options.ts";
import { polarMap } from "./polar.ts";

/**
 * A cone inside a disk: `distance / r`, 0 outside; float64. Antialiased: with the same transition as {@link
 * radialGradientBackgroundSubtraction}.
 *
 * @param shape shape of a frame: rows, columns
 * @param options centre and radius in pixels, and whether edges are antialiased
 * @returns the mask
 *
 * @example
 * ```ts
 * import * as masks from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 * assertEquals([...masks.radialGradient([1, 4], { cy: 0, cx: 0, r: 2 }).data], [0, 0.5, 1, 0]);
 * ```
 * @category Masks
 */
export function radialGradient(shape: Shape, options: CircularOptions): NDArray<"float64"> {
  checkOptionNames("radialGradient()", options, CIRCULAR_OPTIONS);
  const { cy, cx, r, antialiased } = options;
  const sides = frameSides(shape, "a radial gradient");
  checkRing("a radial gradient", sides, { cy, cx, ro: r });
  if (antialiased) return coneOf(polarMap(shape, { cy, cx }).radius, { r, ro: 0, delta: 1 });
  return floatMask(sides, (y, x) => {
    const square = (y - cy) ** 2 + (x - cx) ** 2;
    return square > 0 && square <= r * r ? Math.sqrt(square) / r : 0; // its tip is 0, also for r = 0
  }, "float64");
}

/**
 * A cone with a negative ring around it, as a function of a map of radii (see {@link polarMap}, which makes ellipses):
 * `radius / r` below `r − δ/2`, falling linearly from 1 to −1 over δ, −1 up to `ro`; float64.
 * @category Masks
 */
export function radialGradientBackgroundSubtraction(
  radius: NDArray,
  options: RadialGradientBackgroundOptions,
): NDArray<"float64"> {
  checkArray("radialGradientBackgroundSubtraction()", radius);
  checkOptionNames("radialGradientBackgroundSubtraction()", options, GRADIENT_OPTIONS);
  const { r, ro, delta = 1 } = options;
  if (ro < r) {
    const text =
      `Cannot make a cone of radius r = ${r} with a ring to ro = ${ro}: ro must not be less than r`;
    throw new TilewiseError("invalid", text, { option: "ro", expected: `${r} or more`, found: String(ro) });
  }
  const mask = coneOf(radius, { r, ro, delta });
  if (mask.data.some((weight) => weight !== 0)) return mask;
  throw noPixel("a radial gradient", radius.shape, `of a weight within ${ro} px of the centre`);
}

function coneOf(
  radius: NDArray,
  { r, ro, delta }: Required<RadialGradientBackgroundOptions>,
): NDArray<"float64"> {
  const value = (distance: number) => {
    if (distance < r - delta / 2) return distance / r;
    if (distance < r + delta / 2) return (r - distance) / (delta / 2);
    return distance <= ro ? -1 : 0;
  };
  return ndarray(Float64Array.from(asNumbers(radius.data), value), radius.shape, "float64");
}

/**
 * A disk of radius `ri` minus the ring from `ri` to `ro`, scaled so that the sum is 0; float64. The frame has a pixel
 * of both.
 *
 * @param shape shape of a frame: rows, columns
 * @param options centre and both radii in pixels
 * @returns the mask
 * @throws {TilewiseError} `invalid` if the disk or the ring has no pixel of the frame
 *
 * @example
 * ```ts
 * import { backgroundSubtraction } from "@tilewise/tilewise/masks";
 * import { assert } from "@std/assert";
 * const { data } = backgroundSubtraction([9, 9], { cy: 4, cx: 4, ri: 2, ro: 4 });
 * assert(Math.abs(data.reduce((sum, weight) => sum + weight, 0)) < 1e-12);
 * ```
 * @category Masks
 */
export function backgroundSubtraction(shape: Shape, options: RingOptions): NDArray<"float64"> {
  checkOptionNames("backgroundSubtraction()", options, RING_OPTIONS);
  const { ro: _, ri, ...rest } = options;
  const inner = circular(shape, { ...rest, r: ri }).data;
  const outer = ring(shape, options).data;
  const scale = sum(inner) / sum(outer);
  return ndarray(Float64Array.from(inner, (v, i) => v - outer[i]! * scale), shape, "float64");
}

/**
 * A template whose negative weights are scaled so that the sum is 0; float64. Its product with a uniform background is
 * 0.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import * as masks from "@tilewise/tilewise/unstable/masks";
 * import { assertEquals } from "@std/assert";
 * const template = ndarray(Float64Array.of(4, -1, -1), [3], "float64");
 * assertEquals([...masks.balance(template).data], [4, -2, -2]);
 * ```
 * @category Masks
 */
export function balance(template: NDArray): NDArray<"float64"> {
  checkArray("balance()", template);
  const { data, shape } = template;
  const values = Float64Array.from(asNumbers(data));
  const scale = -sum(values.filter((v) => v > 0)) / sum(values.filter((v) => v < 0));
  return ndarray(values.map((v) => v < 0 ? v * scale : v), shape, "float64");
}

/**
 * The column of each pixel; float32.
 * @category Masks
 */
export function gradientX(shape: Shape): NDArray<"float32"> {
  return floatMask(frameSides(shape, "a gradient"), (_, x) => x, "float32");
}

/**
 * The row of each pixel; float32.
 * @category Masks
 */
export function gradientY(shape: Shape): NDArray<"float32"> {
  return floatMask(frameSides(shape, "a gradient"), (y) => y, "float32");
}

function sum(values: ArrayLike<number>): number {
  return Array.prototype.reduce.call(values, (a, b) => a as number + (b as number), 0) as number;
}
