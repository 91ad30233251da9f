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

export * from "./disks.ts";
export * from "./gradients.ts";
export type {
  Centre,
  CircularOptions,
  PolarOptions,
  RadialBinsOptions,
  RadialFourierMaskOptions,
  RadialGradientBackgroundOptions,
  RectangularOptions,
  RingOptions,
} from "./options.ts";
export * from "./polar.ts";
export { radialBins, sparseRadialBins } from "./radial_bins.ts";
export { radialFourierMasks } from "./radial_fourier.ts";
export * from "./sparse.ts";
export * from "./stamped.ts";
