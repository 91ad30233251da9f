/**
 * Sum, mean, variance and standard deviation over all frames, pixel by pixel, in one pass.
 *
 * Small integers: exact sums of x and x², so that only the final results are rounded. Other samples: Welford's update
 * frame by frame, where partial results are merged by the formula of Chan, Golub and LeVeque (1983).
 *
 * @module
 */

import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Statistics over all frames, pixel by pixel. Results `sum`, `mean`, `var`, `std`: float64, shape of a frame, and
 * `num_frames`. The variance is that of the population (divided by the number of frames). Complex frames: `sum` and
 * `mean` are complex128, the variance is the mean of |x − mean|².
 *
 * @example
 * ```ts
 * import { open, plan, run, standardDeviation } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 5, 3, 5), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { sd } = await run(await plan(scan, { sd: standardDeviation() }));
 * assertEquals([...sd.std.data], [1, 0]);
 * ```
 * @category Analyses
 */
export function standardDeviation(): UdfRef<Statistics> {
  return builtin("stddev");
}

/**
 * The dtypes of the results of {@link standardDeviation}.
 * @category Analyses
 */
export type Statistics = {
  /** Sum over all frames, per pixel. */
  readonly sum: "float64" | "complex128";
  /** Mean over all frames, per pixel. */
  readonly mean: "float64" | "complex128";
  /** Variance over all frames, per pixel. */
  readonly var: "float64";
  /** Standard deviation over all frames, per pixel. */
  readonly std: "float64";
  /** Number of frames. */
  readonly num_frames: "float64";
};
