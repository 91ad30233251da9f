/**
 * The UDF that adds the samples of each frame.
 *
 * @module
 */

import type { KernelFamily } from "../../../kernels/families/families.ts";
import { kernel } from "../../../kernels/registry.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { Tile } from "../../interface/tile.ts";
import type { Udf } from "../../interface/udf.ts";
import { isComplex, unitsOfSamples } from "../complex.ts";

/** What it calls for complex samples, beside sums. */
const COMPLEX_KERNELS: readonly KernelFamily[] = ["convert_f64"];

/** The UDF behind `sumPixels`. */
export function sumsig(): Udf<
  { intensity: "float64" | "complex128" },
  { scratch: { lanes?: "float64"; row?: "float64" } }
> {
  return {
    name: "sumsig",
    buffers: ({ nativeDType }) => ({
      intensity: { kind: "nav", dtype: isComplex(nativeDType) ? "complex128" : "float64", values: "sums" },
    }),
    inputDType: "native",
    raw: "kernels",
    kernels: ({ nativeDType }) => isComplex(nativeDType) ? COMPLEX_KERNELS : [],
    backends: ({ nativeDType }) => isComplex(nativeDType) ? ["dense"] : ["dense", "csr"],
    scratch: ({ backend, nativeDType, sigShape }) => ({
      ...(backend === "csr" ? { lanes: { dtype: "float64", length: 8 } } : {}),
      ...(isComplex(nativeDType) ? { row: { dtype: "float64", length: 2 * (sigShape.at(-1) ?? 1) } } : {}),
    }),
    tiling: { contiguous: true, boxes: true },
    processTile(tile, { intensity }, { kernels, meta, scratch }) {
      const { frames, rows, rowLength } = tile;
      if (meta.backend === "csr") {
        const { indptr, indices, data } = tile.csr;
        const csr = [indptr.byteOffset, indices.byteOffset, data.byteOffset, frames] as const;
        const add = kernel(kernels, "csr_sum_pixels", meta.inputDType);
        return add(intensity.byteOffset, 8, ...csr, rowLength, scratch.lanes!.byteOffset);
      }
      const { raw } = tile;
      if (isComplex(raw.dtype)) {
        return addPairs(tile, intensity, kernels, scratch.row!);
      }
      const add = kernel(kernels, "sum_pixels", raw.dtype, raw.byteOrder);
      add(intensity.byteOffset, 8, raw.pointer, frames, raw.frameStride, rows, rowLength);
    },
  };
}

/** Adds the pairs of each frame, one after another, so that sums are rounded in the same way however frames are cut. */
function addPairs(
  { raw, frames, rows, rowLength }: Tile,
  sums: Float64Array,
  kernels: Kernels,
  row: Float64Array,
): void {
  const { dtype, units } = unitsOfSamples(raw.dtype);
  const convert = kernel(kernels, "convert_f64", dtype, raw.byteOrder);
  const bytes = rowLength * dtypeInfo(raw.dtype).itemSize;
  for (let f = 0; f < frames; f++) {
    for (let r = 0; r < rows; r++) {
      convert(row.byteOffset, raw.pointer + f * raw.frameStride + r * bytes, units * rowLength);
      for (let p = 0; p < units * rowLength; p++) sums[2 * f + p % 2]! += row[p]!;
    }
  }
}
