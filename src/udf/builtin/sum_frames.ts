/**
 * Adds all frames: the mean diffraction pattern, up to a factor.
 *
 * @module
 */

import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Sum over all frames, pixel by pixel. Result `intensity`: float64, shape of a frame; exact for integers as long as
 * sums are below 2^53; floats are added in float64 in a fixed order. Complex frames: complex128.
 *
 * @example
 * ```ts
 * import { open, plan, run, sumFrames } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { total } = await run(await plan(scan, { total: sumFrames() }));
 * assertEquals([...total.intensity.data], [4, 6]);
 * ```
 * @category Analyses
 */
export function sumFrames(): UdfRef<{
  /** The sum over all frames, per pixel. */
  intensity: "float64" | "complex128";
}> {
  return builtin("sum");
}
