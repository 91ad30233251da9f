/**
 * Mask generators: arrays over a frame, to multiply with frames (`applyMasks`), to select pixels, or as templates.
 *
 * Shapes are (height, width), lengths are in pixels, and the centres of pixels have whole-number coordinates.
 *
 * @example A ring of 2 pixels
 * ```ts
 * import { ring } from "@tilewise/tilewise/masks";
 * import { assertEquals } from "@std/assert";
 *
 * const { data } = ring([1, 7], { cy: 0, cx: 3, ri: 1, ro: 3 });
 * assertEquals([...data], [1, 1, 0, 0, 0, 1, 1]);
 * ```
 *
 * @module
 */

export { circular, rectangular, ring } from "../masks/disks.ts";
export { backgroundSubtraction, radialGradient } from "../masks/gradients.ts";
export type {
  Centre,
  CircularOptions,
  RadialBinsOptions,
  RectangularOptions,
  RingOptions,
} from "../masks/options.ts";
export { radialBins } from "../masks/radial_bins.ts";
