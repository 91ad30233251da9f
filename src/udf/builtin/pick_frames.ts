/**
 * Copies the selected frames.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { ravel } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { pixelRuns } from "../buffers/slice_order.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * The selected frames. Result `intensity`: dtype of the data, shape (frames selected, …frame) with a region of
 * interest, else (…scan, …frame), in the order of the scan; blank frames are marked invalid: NaN, or zeros in types without it. The plan warns if
 * they are more than 256 MiB.
 *
 * @returns the UDF, for a plan, `run` or an analysis of your own
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
  return builtin("pick_frames");
}

/** The plan warns if frames have more bytes than this. */
const MANY_BYTES = 256 * 2 ** 20;

/** The UDF behind `pickFrames`. */
export function pickFramesUdf(): Udf<{ intensity: DType }> {
  return {
    name: "pick_frames",
    buffers: ({ nativeDType, sigShape }: UdfMeta) => ({
      intensity: {
        kind: "nav",
        dtype: nativeDType,
        extraShape: sigShape,
        compressed: true,
        values: "same",
        axes: "frame",
      },
    }),
    inputDType: "native",
    tiling: { contiguous: true },
    warnings({ nativeDType, pixels, frames, roi }) {
      const count = roi.indices?.length ?? frames;
      const bytes = count * pixels * dtypeInfo(nativeDType).itemSize;
      if (bytes <= MANY_BYTES) return [];
      return [
        `pick_frames copies ${count} frames, ${
          formatBytes(bytes)
        } in all; a region of interest selects fewer`,
      ];
    },
    processTile({ data, frames, box }, { intensity }, { meta: { sigShape, pixels } }) {
      const units = intensity.length / frames / pixels; // numbers per sample: two for complex samples
      const part = data.length / frames;
      const runs = pixelRuns([box], sigShape) ??
        [{ slice: 0, row: ravel(box.origin, sigShape), length: part / units }];
      for (let f = 0; f < frames; f++) {
        for (const { slice, row, length } of runs) {
          const from = f * part + slice * units;
          const to = (f * pixels + row) * units;
          copyNumbers(intensity, data.subarray(from, from + length * units), to);
        }
      }
    },
  };
}
