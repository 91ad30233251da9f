/**
 * Adds up the logarithms of all frames: weak reflections beside strong ones.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import type { Udf } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/**
 * Σ log(I − min I + 1) over all frames, with the minimum of each frame; natural logarithm. Result `logsum`: float64,
 * shape of a frame.
 */
export function logSum(): UdfRef {
  return builtin("logsum");
}

/** The UDF behind {@link logSum}. */
export function logsum(): Udf<"logsum"> {
  return {
    name: "logsum",
    buffers: { logsum: { kind: "sig", dtype: "float64" } },
    inputDType: "native",
    raw: true,
    order: () => "tree", // logarithms are rounded, whatever the samples are
    processFrame({ raw, pixels }, { logsum }, { kernels }) {
      kernel(kernels, "log_sum", raw.dtype, raw.byteOrder)(logsum.byteOffset, raw.pointer, pixels);
    },
    merge(into, from, { kernels }) {
      kernels.exports.add_f64(into.logsum.byteOffset, from.logsum.byteOffset, into.logsum.length);
    },
  };
}
