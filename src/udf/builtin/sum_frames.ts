/**
 * Adds all frames: the mean diffraction pattern, up to a factor.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import { dtypeInfo, isComplex, isExact, partType, unitsOf } from "../../space/dtype.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Sum over all frames, pixel by pixel. Result `intensity`: float64, shape of a frame; exact for integers as long as
 * sums are below 2^53; floats are added in float64 in a fixed order. Complex frames: complex128.
 *
 * @returns the UDF, for a plan, `run` or an analysis of your own
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
  return builtin("sum_frames");
}

/** The UDF behind `sumFrames`. */
export function sumFramesUdf(): Udf<{ intensity: "float64" | "complex128" }> {
  return {
    name: "sum_frames",
    buffers: ({ nativeDType }) => ({
      intensity: { kind: "sig", dtype: isComplex(nativeDType) ? "complex128" : "float64", values: "sums" },
    }),
    inputDType: "native",
    raw: "kernels",
    backends: ({ nativeDType }) => isComplex(nativeDType) ? ["dense"] : ["dense", "csr"],
    tiling: { contiguous: true, boxes: true },
    order: ({ nativeDType }) => isExact(nativeDType) ? "any" : "tree",
    processTile(tile, { intensity }, { kernels, meta }) {
      const { frames, pixels, rows, rowLength } = tile;
      if (meta.backend === "csr") {
        const { indptr, indices, data } = tile.csr;
        const add = kernel(kernels, "csr_sum_frames", meta.inputDType);
        return add(intensity.byteOffset, indptr.byteOffset, indices.byteOffset, data.byteOffset, frames);
      }
      const { raw } = tile;
      const [dtype, units] = [partType(raw.dtype), unitsOf(raw.dtype)]; // both parts of a complex number are added in the same way
      const add = kernel(kernels, "sum_frames", dtype, raw.byteOrder);
      const width = meta.sigShape.at(-1) ?? 1;
      if (rowLength === width) {
        return add(intensity.byteOffset, raw.pointer, frames, raw.frameStride, units * pixels);
      }
      const rowBytes = rowLength * dtypeInfo(raw.dtype).itemSize;
      const sumBytes = width * units * intensity.BYTES_PER_ELEMENT;
      for (let r = 0; r < rows; r++) {
        const [sums, samples] = [intensity.byteOffset + r * sumBytes, raw.pointer + r * rowBytes];
        add(sums, samples, frames, raw.frameStride, units * rowLength);
      }
    },
    merge(into, from, { kernels }) {
      kernels.exports.add_f64(into.intensity.byteOffset, from.intensity.byteOffset, into.intensity.length);
    },
  };
}
