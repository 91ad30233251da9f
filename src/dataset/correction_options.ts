/**
 * What corrections are: dark frame, gain map, dead pixels.
 *
 * @module
 */

import type { OptionNames } from "../options.ts";
import { must, truth } from "../options/rules.ts";
import type { NDArray } from "../space/ndarray.ts";
import { arrayValue } from "../space/rules.ts";

/**
 * What to correct; all of it is optional.
 * @category Data sets
 */
export interface Corrections {
  /** Subtracted from every frame; it has the shape of a frame. Real; for complex frames it may also be complex. */
  readonly dark?: NDArray;
  /** Multiplied with every frame, after `dark` was subtracted; shape and type as for `dark`. */
  readonly gain?: NDArray;
  /** Coordinates of pixels whose values are not valid. */
  readonly excluded?: readonly (readonly number[])[];
  /** Leave an excluded pixel as it is when it has no good neighbour. Default: that is an error. */
  readonly allowEmpty?: boolean;
}

/** Types of corrected samples. */
export type CorrectedDType = "float32" | "float64" | "complex64" | "complex128";

/** Their names. */
export const CORRECTION_OPTIONS: OptionNames<Corrections> = {
  dark: arrayValue,
  gain: arrayValue,
  excluded: must(
    "a list of pixels, such as [[3, 5]]",
    (value) => Array.isArray(value) && value.every((at) => Array.isArray(at)),
  ),
  allowEmpty: truth,
};

/** Whether there is nothing to correct. */
export function isNothing({ dark, gain, excluded = [] }: Corrections): boolean {
  return !dark && !gain && excluded.length === 0;
}
