/**
 * Single pixels of every frame.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { list, needed } from "../../options/rules.ts";
import type { DType } from "../../space/dtype.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Parameters of {@link pixelValues}.
 * @category Analyses
 */
export interface PixelValuesOptions {
  /** The pixels, by their coordinates in a frame. */
  readonly at: readonly (readonly number[])[];
}

/** The names of the options. */
export const PIXEL_OPTIONS: OptionNames<PixelValuesOptions> = { at: needed(list) };

/**
 * Some pixels of every frame. Result `intensity`: dtype of the data, shape (…scan, pixels). If the data set allows it,
 * only the rows with these pixels are read.
 *
 * @example
 * ```ts
 * import { open, pixelValues, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { right } = await run(await plan(scan, { right: pixelValues({ at: [[0, 1]] }) }));
 * assertEquals([...right.intensity.data], [2, 4]);
 * ```
 * @category Analyses
 */
export function pixelValues(options: PixelValuesOptions): UdfRef<{
  /** The samples at these pixels, per frame. */
  intensity: DType;
}> {
  checkOptionNames("pixelValues()", options, PIXEL_OPTIONS);
  return builtin("pixels", { ...options });
}
