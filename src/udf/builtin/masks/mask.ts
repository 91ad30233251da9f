/**
 * What can stand for masks in a list of masks: arrays, stacks, recipes of the generators, functions in modules.
 *
 * @module
 */

import type {
  CircularOptions,
  PolarOptions,
  RadialBinsOptions,
  RadialFourierMaskOptions,
  RadialGradientBackgroundOptions,
  RectangularOptions,
  RingOptions,
  SparseMasks,
  Stamp,
} from "../../../masks/mod.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import type { Params } from "../../interface/params.ts";

/**
 * A disk or ring around a centre in pixels; `ri < √(dy² + dx²) ≤ ro`, a disk without `ri`.
 * @category Analyses
 */
export interface RingMask {
  /** Row of the centre. */
  readonly cy: number;
  /** Column of the centre. */
  readonly cx: number;
  /** Outer radius, included. */
  readonly ro: number;
  /** Inner radius, excluded. Default: none, the mask is a disk. */
  readonly ri?: number;
}

/**
 * The generators that recipes name, and what they take; see `masks`, which has them as functions.
 * @category Analyses
 */
export interface MaskGenerators {
  /** A disk. */
  readonly circular: CircularOptions;
  /** A ring. */
  readonly ring: RingOptions;
  /** A rectangle. */
  readonly rectangular: RectangularOptions;
  /** A cone. */
  readonly radialGradient: CircularOptions;
  /** A cone with a negative ring, maybe elliptic. */
  readonly radialGradientBackgroundSubtraction: RadialGradientBackgroundOptions & PolarOptions;
  /** A disk with a negative ring. */
  readonly backgroundSubtraction: RingOptions;
  /** The column of each pixel. */
  readonly gradientX: Readonly<Record<never, never>>;
  /** The row of each pixel. */
  readonly gradientY: Readonly<Record<never, never>>;
  /** A stack of rings. */
  readonly radialBins: RadialBinsOptions;
  /** A stack of rings, as lists of weights. */
  readonly sparseRadialBins: RadialBinsOptions;
  /** A complex stack: rings times exp(i·o·φ). */
  readonly radialFourierMasks: RadialFourierMaskOptions;
  /** A stack of stamped templates. */
  readonly stampTemplates: {
    /** What is stamped. */
    readonly template: NDArray;
    /** Where, and in which mask. */
    readonly stamps: readonly Stamp[];
  };
  /** A stack of stamped disks. */
  readonly stampDisks: {
    /** Radius of the disks. */
    readonly r: number;
    /** Where, and in which mask. */
    readonly stamps: readonly Stamp[];
  };
}

/**
 * A mask or stack by the name of its generator: `{ make: "radialBins", cy, cx, bins: 40 }`. Made once per run.
 * @category Analyses
 */
export type MaskRecipe = {
  readonly [N in keyof MaskGenerators]:
    & {
      /** Name of the generator; its options stand beside it. */
      readonly make: N;
    }
    & MaskGenerators[N];
}[keyof MaskGenerators];

/**
 * Masks that a function of your own makes: an export `(shape, params) => Mask | Mask[]` of a module.
 * @category Analyses
 */
export interface MaskModule {
  /** URL of the module. */
  readonly module: string;
  /** The export. Default `default`. */
  readonly export?: string;
  /** Given to the function after the shape of a frame. */
  readonly params?: Params;
}

/**
 * A mask: weights over the frame (real or complex), a stack of them (one dimension more), sparse masks, a disk or ring,
 * a recipe, or a function in a module.
 * @category Analyses
 */
export type Mask = NDArray | SparseMasks | RingMask | MaskRecipe | MaskModule;
