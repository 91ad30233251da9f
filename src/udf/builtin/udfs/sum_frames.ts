/**
 * The UDF that adds all frames.
 *
 * @module
 */

import { kernel } from "../../../kernels/registry.ts";
import { dtypeInfo, isExact } from "../../../space/dtype.ts";
import { isComplex, unitsOfSamples } from "../complex.ts";
import type { Udf } from "../../interface/udf.ts";

/** The UDF behind `sumFrames`. */
export function sum(): Udf<{ intensity: "float64" | "complex128" }> {
  return {
    name: "sum",
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
      const { dtype, units } = unitsOfSamples(raw.dtype); // both parts of a complex number are added in the same way
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
