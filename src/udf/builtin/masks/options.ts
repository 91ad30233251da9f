/**
 * The names of the options of {@link applyMasks}, including those of the masks in its list.
 *
 * @module
 */

import { wholeUrl } from "../../../executor/module_url.ts";
import { GEOMETRY } from "../../../masks/geometry.ts";
import * as generators from "../../../masks/options.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../../../options.ts";
import { either, list, must, needed, oneOf, text, truth, wrongValue } from "../../../options/rules.ts";
import { arrayValue } from "../../../space/rules.ts";
import type { AuxSpec } from "../../interface/aux_data.ts";
import type { Mask, MaskGenerators, MaskModule, RingMask } from "./mask.ts";
import type { MaskShifts } from "./shifts.ts";

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
  if (typeof mask !== "object" || mask === null || ArrayBuffer.isView(mask)) {
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
