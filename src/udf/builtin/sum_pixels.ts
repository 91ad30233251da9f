/**
 * Adds up every frame to one number: the virtual bright field of a scan.
 *
 * @module
 */

import { kernel } from "../../kernels/registry.ts";
import type { ScratchSpec, Udf } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/**
 * Sum over the pixels of each frame. Result `intensity`: float64, shape of the scan; exact for integers, for floats
 * added in float64 row by row.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const { bright } = await run(await plan(scan, { bright: sumPixels() }));
 * assertEquals([...bright!.intensity!.data], [3, 7]);
 * ```
 */
export function sumPixels(): UdfRef {
  return builtin("sumsig");
}

/** The UDF behind {@link sumPixels}. */
export function sumsig(): Udf<"intensity"> {
  return {
    name: "sumsig",
    buffers: { intensity: { kind: "nav", dtype: "float64" } },
    inputDType: "native",
    raw: true,
    backends: ["dense", "csr"],
    scratch: ({ backend }): Readonly<Record<string, ScratchSpec>> =>
      backend === "csr" ? { lanes: { dtype: "float64", length: 8 } } : {},
    tiling: { contiguous: true },
    processTile(tile, { intensity }, { kernels, meta, scratch }) {
      const { frames, rows, rowLength } = tile;
      if (meta.backend === "csr") {
        const { indptr, indices, data } = tile.csr;
        const csr = [indptr.byteOffset, indices.byteOffset, data.byteOffset, frames] as const;
        const add = kernel(kernels, "csr_sum_pixels", meta.inputDType);
        return add(intensity.byteOffset, 8, ...csr, rowLength, scratch.lanes!.byteOffset);
      }
      const { raw } = tile;
      const add = kernel(kernels, "sum_pixels", raw.dtype, raw.byteOrder);
      add(intensity.byteOffset, 8, raw.pointer, frames, raw.frameStride, rows, rowLength);
    },
  };
}
