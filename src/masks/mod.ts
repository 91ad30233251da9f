/**
 * Mask generators: arrays over a frame, to multiply frames with (`applyMasks`), to select pixels, or as templates.
 *
 * Shapes are (height, width), lengths are in pixels, pixel centres are whole numbers.
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
export * from "./stamp.ts";
export type { Stamp } from "./stamped.ts";
