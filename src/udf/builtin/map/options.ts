/**
 * What `mapFrames` is given: a function of a frame, and options.
 *
 * @module
 */

import type { OptionNames } from "../../../options.ts";
import { text, truth } from "../../../options/rules.ts";
import type { DType, TypedArray } from "../../../space/dtype.ts";
import type { AxisFacts, ValueRule } from "../../../space/axes.ts";
import { axesRule, meaningRule } from "../../../space/meaning/rules.ts";
import { shapeFrom } from "../../../space/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import type { DTypeWish } from "../../interface/buffer_types.ts";
import type { Params } from "../../interface/params.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import type { FrameValue } from "./values.ts";

/**
 * Facts that a frame function gets besides the samples.
 * @category User-defined functions
 */
export interface FrameInfo {
  /** Shape of the frame; its samples lie in row-major order. */
  readonly shape: Shape;
  /** Its coordinates in the scan. */
  readonly coordinates: readonly number[];
  /** Its position in the scan as one number. */
  readonly position: number;
  /** Facts of the data. */
  readonly meta: UdfMeta;
  /** {@link MapOptions.params}. */
  readonly params: Params;
}

/**
 * A function of one frame. The memory of the samples is reused for the next frame, and other UDFs of the run read it as
 * well: copy what you keep, and do not change it. Complex samples are pairs of numbers.
 * @category User-defined functions
 */
export type FrameFunction<F extends TypedArray = Float32Array, V extends FrameValue = FrameValue> = (
  frame: F,
  info: FrameInfo,
) => V;

/**
 * Options of {@link mapFrames}.
 * @category User-defined functions
 */
export interface MapOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Given to the function as `info.params`. */
  readonly params?: Params;
  /**
   * Type of the result; values are converted. `object`: any JSON value. Default: the type of the value for a frame of
   * ones.
   */
  readonly dtype?: DType | "object";
  /**
   * Shape of one value; lists with that number of entries are accepted as well. Default: the shape of the value for a
   * frame of ones.
   */
  readonly shape?: Shape;
  /** Type of the samples that the function gets, combined with the type of the file by NumPy's rules. Default `float32`. */
  readonly input?: DTypeWish;
  /** Whether there is a result `monitor`: the value of the last frame that has been processed. Default false. */
  readonly monitor?: boolean;
  /** What the values mean, see {@link ValueRule}. Default: what follows from their type. */
  readonly values?: ValueRule;
  /** What the dimensions of one value are, one for each. */
  readonly axes?: readonly AxisFacts[];
}

/** The names of {@link MapOptions}. */
// deno-fmt-ignore: written by `deno task build`
export const MAP_OPTIONS: OptionNames<MapOptions> = {
  export: text, params: true, dtype: true, shape: shapeFrom(0, "[2]"), input: true, monitor: truth,
  values: meaningRule, axes: axesRule,
};
