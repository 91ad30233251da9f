/**
 * Products of frames with masks: virtual detectors of any shape, many in one pass.
 *
 * @module
 */

import { checkOptionNames } from "../../options.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import { MASK_OPTIONS, type MaskDType, type MaskOptions } from "./masks/mask.ts";
import { travellingShifts } from "./masks/shifts.ts";

/**
 * The sum of each frame weighted by each mask. Result `intensity`: shape (…scan, masks), float64 or, for complex masks
 * or frames, complex128. Products of small integers with integer masks are exact. If frames are float32 or integers of
 * up to 16 bits, and float32 holds every weight exactly, products are computed in float32, otherwise in float64. Pixels
 * of weight 0 do not count, even where they are NaN. Rows in which no mask has a weight are skipped; if the data set
 * allows it, they are not even read.
 *
 * @param options the masks, and how they are stored
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example
 * ```ts
 * import { applyMasks, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const centre = { cy: 0, cx: 0, ro: 0.5 };
 * const columns = { make: "gradientX" } as const;
 * const { dot } = await run(await plan(scan, { dot: applyMasks({ masks: [centre, columns] }) }));
 * assertEquals([...dot.intensity.data], [1, 2, 3, 4]);
 * ```
 * @category Analyses
 */
export function applyMasks<D extends MaskDType = "float64" | "complex128">(
  options: MaskOptions & {
    /** Type of the results. */
    readonly dtype?: D;
  },
): UdfRef<{
  /** The products with the masks, one row per frame. */
  readonly intensity: D;
}> {
  checkOptionNames("applyMasks()", options, MASK_OPTIONS);
  const { shifts } = options;
  const moved = shifts ? { ...options, shifts: travellingShifts(shifts) } : options;
  return builtin("apply_masks", moved);
}
