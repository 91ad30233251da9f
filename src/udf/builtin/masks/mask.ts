/**
 * What a list of masks may contain: arrays, stacks, recipes of the generators, functions in modules.
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
import type { Shape } from "../../../space/shape.ts";
import type { Params } from "../../interface/udf_ref.ts";
import type { MaskSteps } from "./packed.ts";
import type { Shifting } from "./shifts.ts";

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
  /** Inner radius, excluded. Default: none, so that the mask is a disk. */
  readonly ri?: number;
}

/**
 * The generators that recipes name, with their options; see `masks`, which has them as functions.
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
  /** A cone with a negative ring, optionally elliptic. */
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
    /** The template that is stamped. */
    readonly template: NDArray;
    /** The places, and the mask of each. */
    readonly stamps: readonly Stamp[];
  };
  /** A stack of stamped disks. */
  readonly stampDisks: {
    /** Radius of the disks. */
    readonly r: number;
    /** The places, and the mask of each. */
    readonly stamps: readonly Stamp[];
  };
}

/**
 * A mask or stack described by a generator: `{ make: "radialBins", cy, cx, bins: 40 }`. Made once per run.
 * @category Analyses
 */
export type MaskRecipe = {
  readonly [N in keyof MaskGenerators]:
    & {
      /** Name of the generator; its options are further properties. */
      readonly make: N;
    }
    & MaskGenerators[N];
}[keyof MaskGenerators];

/**
 * Masks made by your own function: an export `(shape, params) => Mask | Mask[]` of a module.
 * @category Analyses
 */
export interface MaskModule {
  /** URL of the module. */
  readonly module: string;
  /** The export. Default `default`. */
  readonly export?: string;
  /** Passed to the function after the shape of a frame. */
  readonly params?: Params;
}

/**
 * A mask: weights over the frame (real or complex), a stack of masks (with one more dimension), sparse masks, a disk or
 * ring, a recipe, or a function in a module.
 * @category Analyses
 */
export type Mask = NDArray | SparseMasks | RingMask | MaskRecipe | MaskModule;

// What makes masks: either one ring, or masks of all kinds, which takes much more code.

/** The functions that modules of the user export, by module and export. */
export type MaskFunctions = ReadonlyMap<string, MaskFunction>;

/** Makes masks for frames of a shape. */
export type MaskFunction = (shape: Shape, params: unknown) => Mask | readonly Mask[];

/** Number of masks, and lower bound of their bytes. */
export interface LeastMasks {
  /** Masks. */
  readonly masks: number;
  /** Bytes. */
  readonly bytes: number;
}

/** Makes the weights of masks; which kinds of masks depends on what has been loaded. */
export interface MaskMakers {
  /** Whether all weights are 0 or 1. */
  readonly binary: boolean;
  /** The weights, in steps. */
  weights(masks: readonly Mask[], shape: Shape, functions?: MaskFunctions): MaskSteps;
  /** Number of masks, and lower bound of their bytes. */
  least(masks: readonly Mask[], sigShape: Shape): LeastMasks;
  /** Shifts masks, if they can be shifted. */
  readonly shifting?: Shifting;
}
