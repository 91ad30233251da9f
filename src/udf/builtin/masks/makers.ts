/**
 * What makes masks: either one ring, or masks of all kinds, which takes much more code.
 *
 * @module
 */

import type { Shape } from "../../../space/shape.ts";
import type { Mask } from "./mask.ts";
import type { MaskSteps } from "./packed.ts";
import type { Shifting } from "./shifts.ts";

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
