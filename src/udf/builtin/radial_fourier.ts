/**
 * Fourier coefficients along rings: the symmetry around the beam (how many-fold it is), and its orientation.
 *
 * If the centre allows it, frames are folded first (`radial/orbits.ts`), so that each mask is multiplied with a quarter
 * of the pixels; a ring uses only its own pixels. For each piece: fold it for some frames, then multiply with the
 * weights of all orders while both are in the caches. The order of additions depends only on the bins.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { GEOMETRY } from "../../masks/geometry.ts";
import { truth } from "../../options/rules.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Parameters of {@link radialFourier}; lengths in pixels.
 * @category Analyses
 */
export interface RadialFourierOptions {
  /** Row of the centre. Default: half the height. */
  readonly cy?: number;
  /** Column of the centre. Default: half the width. Centres on pixels or half-way between them are four times as fast. */
  readonly cx?: number;
  /** Inner radius. Default 0. */
  readonly ri?: number;
  /** Outer radius. Default: one that covers the frame. */
  readonly ro?: number;
  /** Number of rings. Default 1. */
  readonly bins?: number;
  /** Highest order. Default 24. */
  readonly maxOrder?: number;
  /** Whether the results include `absolute`, `phase` and `normalised`. Default true. */
  readonly channels?: boolean;
}

/** The names of the options. */
export const RADIAL_OPTIONS: OptionNames<RadialFourierOptions> = {
  cy: GEOMETRY.cy,
  cx: GEOMETRY.cx,
  ri: GEOMETRY.ri,
  ro: GEOMETRY.ro,
  bins: GEOMETRY.bins,
  maxOrder: GEOMETRY.maxOrder,
  channels: truth,
};

/**
 * Fourier coefficients of every frame along rings, `Σ weight · I · exp(i·o·φ)`, for the orders 0 … `maxOrder`. The
 * rings are those of `masks.radialBins`, φ is the angle of `masks.polarMap`. Results over the scan: `intensity` (…scan,
 * bins, orders) complex128; of the same shape, float32: `absolute`, `phase` in radians and `normalised` (absolute
 * divided by that of order 0, or by 1 if that is less); `dominant` (…scan, bins) uint16, the strongest order from 1 on,
 * or 0 if all are below a fifth of the strongest one of the ring anywhere in the scan.
 *
 * @example A cross has fourfold order
 * ```ts
 * import { open, plan, radialFourier, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const cross = Uint8Array.of(0, 9, 0, 9, 0, 9, 0, 9, 0);
 * const scan = await open(cross, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { order } = await run(await plan(scan, { order: radialFourier({ cy: 1, cx: 1, maxOrder: 5 }) }));
 * assertEquals([...order.dominant.data], [4]);
 * ```
 * @category Analyses
 */
export function radialFourier(options: RadialFourierOptions = {}): UdfRef<RadialTypes> {
  checkOptionNames("radialFourier()", options, RADIAL_OPTIONS);
  return builtin("radialfourier", { ...options });
}

/**
 * The dtypes of the results of {@link radialFourier}; the channels only if they are wanted.
 * @category Analyses
 */
export type RadialTypes = {
  /** The coefficients of each frame, per ring and order. */
  readonly intensity: "complex128";
  /** Their magnitudes. */
  readonly absolute?: "float32";
  /** Their phases. */
  readonly phase?: "float32";
  /** Their magnitudes divided by that of order 0. */
  readonly normalised?: "float32";
  /** The order from 1 on with the greatest magnitude, per ring. */
  readonly dominant: "uint16";
};
