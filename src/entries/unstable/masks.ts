/**
 * The rest of masks: gradients, polar coordinates, stamps, sparse and Fourier masks.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example The radius that a frame has room for
 * ```ts
 * import { boundingRadius } from "@tilewise/tilewise/unstable/masks";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(boundingRadius([4, 5], { cy: 2, cx: 2.5 }), 5);
 * ```
 *
 * @module
 */

export { balance, gradientX, gradientY, radialGradientBackgroundSubtraction } from "../../masks/gradients.ts";
export type {
  PolarOptions,
  RadialFourierMaskOptions,
  RadialGradientBackgroundOptions,
} from "../../masks/options.ts";
export { boundingRadius, type PolarMap, polarMap } from "../../masks/polar.ts";
export { sparseRadialBins } from "../../masks/radial_bins.ts";
export type { SparseMasks } from "../../masks/sparse.ts";
export type { Stamp } from "../../masks/stamped.ts";
