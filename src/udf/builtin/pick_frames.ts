/**
 * Copies the selected frames.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * The selected frames. Result `intensity`: dtype of the data, shape (frames selected, …frame) with a region of
 * interest, else (…scan, …frame), in the order of the scan; blank frames are zero and marked invalid. The plan warns if
 * they are more than 256 MiB.
 *
 * @example
 * ```ts
 * import { open, pickFrames, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { second } = await run(await plan(scan, { second: pickFrames() }, { roi: [[1]] }));
 * assertEquals([...second.intensity.data], [3, 4]);
 * ```
 * @category Analyses
 */
export function pickFrames(): UdfRef<{
  /** The selected frames. */
  intensity: DType;
}> {
  return builtin("pick");
}
