/**
 * Adds the pixels of every frame to one number: the virtual bright field of a scan.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { dtypeInfo, isComplex, partType, unitsOf } from "../../space/dtype.ts";
import type { Tile } from "../interface/tile.ts";
import type { Udf } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Sum over the pixels of each frame. Result `intensity`: float64, shape of the scan; exact for integers; floats are
 * added in float64 row by row. Complex frames: complex128.
 *
 * @returns the UDF, for a plan, `run` or an analysis of your own
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
  return builtin("sum_pixels");
}

/** What it calls for complex samples, beside sums. */
const COMPLEX_KERNELS: readonly KernelFamily[] = ["convert_f64"];

/** The UDF behind `sumPixels`. */
export function sumPixelsUdf(): Udf<
  { intensity: "float64" | "complex128" },
  { scratch: { lanes?: "float64"; row?: "float64" } }
> {
  return {
    name: "sum_pixels",
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
  const [dtype, units] = [partType(raw.dtype), unitsOf(raw.dtype)];
  const convert = kernel(kernels, "convert_f64", dtype, raw.byteOrder);
  const bytes = rowLength * dtypeInfo(raw.dtype).itemSize;
  for (let f = 0; f < frames; f++) {
    for (let r = 0; r < rows; r++) {
      convert(row.byteOffset, raw.pointer + f * raw.frameStride + r * bytes, units * rowLength);
      for (let p = 0; p < units * rowLength; p++) sums[2 * f + p % 2]! += row[p]!;
    }
  }
}
