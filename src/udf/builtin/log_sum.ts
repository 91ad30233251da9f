/**
 * Adds the logarithms of all frames, to show weak reflections beside strong ones.
 *
 * @module
 */

import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Σ log(I − min I + 1) over all frames, with the minimum of each frame; natural logarithm. Result `logsum`: float64,
 * shape of a frame.
 *
 * @example
 * ```ts
 * import { logSum, open, plan, run } from "@tilewise/tilewise";
 * import { assertAlmostEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 5), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { dp } = await run(await plan(scan, { dp: logSum() }));
 * assertAlmostEquals(Math.max(...dp.logsum.data), Math.log(2) + Math.log(3));
 * ```
 * @category Analyses
 */
export function logSum(): UdfRef<{
  /** The logarithm of the samples, summed over all frames, per pixel. */
  logsum: "float64";
}> {
  return builtin("logsum");
}
