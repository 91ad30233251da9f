/**
 * Adds the pixels of every frame to one number: the virtual bright field of a scan.
 *
 * @module
 */

import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Sum over the pixels of each frame. Result `intensity`: float64, shape of the scan; exact for integers; floats are
 * added in float64 row by row. Complex frames: complex128.
 *
 * @example
 * ```ts
 * import { open, plan, run, sumPixels } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { bright } = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...bright.intensity.data], [3, 7]);
 * ```
 * @category Analyses
 */
export function sumPixels(): UdfRef<{
  /** The sum of each frame. */
  intensity: "float64" | "complex128";
}> {
  return builtin("sumsig");
}
