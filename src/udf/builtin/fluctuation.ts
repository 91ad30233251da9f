/**
 * Fluctuation electron microscopy (FEM): how much the intensity varies along a ring in every frame.
 *
 * @module
 */

import { builtin, type UdfRef } from "../interface/udf_ref.ts";
import { checkOptionNames } from "../../options.ts";
import { ANNULAR_OPTIONS, type AnnularDetectorOptions } from "./detectors.ts";

/**
 * Standard deviation of every frame over the pixels with `ri < √(dy² + dx²) ≤ ro`; ring and defaults as for an annular
 * detector. Result `intensity`: float64, shape of the scan.
 *
 * @example
 * ```ts
 * import { fluctuation, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const frame = Uint8Array.of(0, 1, 0, 5, 9, 3, 0, 3, 0);
 * const scan = await open(frame, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { fem } = await run(await plan(scan, { fem: fluctuation({ cy: 1, cx: 1, ri: 0.5, ro: 1 }) }));
 * assertEquals([...fem.intensity.data], [Math.SQRT2]);
 * ```
 * @category Analyses
 */
export function fluctuation(options: AnnularDetectorOptions = {}): UdfRef<{
  /** The standard deviation of the samples in the ring, per frame. */
  intensity: "float64";
}> {
  checkOptionNames("fluctuation()", options, ANNULAR_OPTIONS);
  return builtin("fem", { ...options });
}
