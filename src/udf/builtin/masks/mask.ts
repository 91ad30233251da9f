/**
 * What a list of masks may contain: arrays, stacks, recipes of the generators, functions in modules.
 *
 * @module
 */

import { wholeUrl } from "../../../executor/module_url.ts";
import { GEOMETRY } from "../../../masks/geometry.ts";
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
import * as generators from "../../../masks/options.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../../../options.ts";
import { either, list, must, needed, oneOf, text, truth, wrongValue } from "../../../options/rules.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { arrayValue } from "../../../space/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import type { AuxSpec } from "../../interface/aux_data.ts";
import type { Params } from "../../interface/udf_ref.ts";
import type { MaskSteps } from "./packed.ts";
import type { MaskShifts, Shifting } from "./shifts.ts";

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

// The names of the options of {@link applyMasks}, including those of the masks in its list.

const { cy, cx, r, ri, ro } = GEOMETRY;

const RING_NAMES: OptionNames<RingMask> = { cy: needed(cy), cx: needed(cx), ro: needed(ro), ri };

const moduleUrl: OptionRule<string> = (_call, _option, value) => {
  wholeUrl(value as string, "load the mask function");
};

const MODULE_NAMES: OptionNames<MaskModule> = { module: needed(moduleUrl), export: text, params: true };

/** The options of each generator. */
const GENERATOR_NAMES: { readonly [N in keyof MaskGenerators]: OptionNames<MaskGenerators[N]> } = {
  circular: generators.CIRCULAR_OPTIONS,
  ring: generators.RING_OPTIONS,
  rectangular: generators.RECTANGULAR_OPTIONS,
  radialGradient: generators.CIRCULAR_OPTIONS,
  radialGradientBackgroundSubtraction: { ...generators.POLAR_OPTIONS, ...generators.GRADIENT_OPTIONS },
  backgroundSubtraction: generators.RING_OPTIONS,
  gradientX: {},
  gradientY: {},
  radialBins: generators.BINS_OPTIONS,
  sparseRadialBins: generators.BINS_OPTIONS,
  radialFourierMasks: generators.FOURIER_OPTIONS,
  stampTemplates: { template: needed(arrayValue), stamps: needed(list) },
  stampDisks: { r: needed(r), stamps: needed(list) },
};

/** Checks one mask of a list; arrays may have further properties. */
export function checkMask(call: string, option: string, mask: unknown): void {
  if (typeof mask === "function") return; // functions cannot travel to workers: the check of parameters says so
  if (typeof mask !== "object" || mask === null || ArrayBuffer.isView(mask) || Array.isArray(mask)) {
    const what =
      "an array with a shape, as ndarray() makes it, a ring such as { cy, cx, ro }, a recipe, or a module";
    throw wrongValue(call, option, mask, what);
  }
  if ("values" in mask || "data" in mask) return;
  const check = (names: OptionNames<object>) => checkOptionNames(call, mask, names, option);
  if ("module" in mask) return check(MODULE_NAMES);
  if (!("make" in mask)) return check(RING_NAMES);
  const { make } = mask as { readonly make: keyof MaskGenerators };
  if (!Object.hasOwn(GENERATOR_NAMES, make)) return; // it is refused when masks are made
  check({ make: true, ...GENERATOR_NAMES[make] } as OptionNames<object>);
}

const masks: OptionRule<readonly Mask[]> = (call, option, value) => {
  if (!Array.isArray(value)) throw wrongValue(call, option, value, "a list of masks");
  value.forEach((mask, i) => checkMask(call, `${option}[${i}]`, mask));
};

const auxiliary = must<AuxSpec>(
  "",
  (value) => typeof value === "object" && value !== null && "kind" in value,
);

/** The options of {@link applyMasks}. */
export const MASK_OPTIONS: OptionNames<MaskOptions> = {
  masks: needed(masks),
  shifts: either(
    "a list of numbers, an array (…scan, 2), or what auxData() gives",
    list,
    arrayValue,
    auxiliary,
  ),
  useSparse: either('true, false or "auto"', truth, oneOf("auto")),
  dtype: oneOf("float32", "float64", "complex64", "complex128"),
};

/**
 * The dtypes of sums over masks.
 * @category Analyses
 */
export type MaskDType = "float32" | "float64" | "complex64" | "complex128";

/**
 * Parameters of {@link applyMasks}.
 * @category Analyses
 */
export interface MaskOptions {
  /** The masks: arrays over the frame, stacks of arrays, disks and rings, recipes, functions in modules. */
  readonly masks: readonly Mask[];
  /** Moves the masks by (y, x), for all frames or, as an array (…scan, 2), frame by frame; rounded to whole pixels. */
  readonly shifts?: MaskShifts;
  /**
   * Whether products are computed weight by weight in f64, without the zero weights. `auto`: if that is faster, which
   * is so if few weights are not zero; `true`, `false`: always, never. Masks that move frame by frame are never sparse.
   * A NaN outside of a sparse mask has no effect.
   */
  readonly useSparse?: "auto" | boolean;
  /** Type of the result. Default `float64`, or `complex128` if masks or frames are complex. */
  readonly dtype?: MaskDType;
}
