/**
 * Kernels that come with Tilewise, as UDFs, by the name of their family.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { kernel } from "../../kernels/registry.ts";
import { mustBeReal } from "../builtin/runs.ts";
import type { Udf } from "../interface/udf.ts";
import { sumFramesUdf } from "../builtin/sum_frames.ts";
import { sumPixelsUdf } from "../builtin/sum_pixels.ts";
import type { BuiltinKernel } from "./options.ts";

/** The families that reduce a tile directly to buffers; the other kernels need a UDF of their own. */
const FAMILIES: Readonly<Record<BuiltinKernel["kernel"], () => Udf>> = {
  sum_pixels: () => sumPixelsUdf() as Udf,
  sum_frames: () => sumFramesUdf() as Udf,
  min_max: () => minMax() as Udf,
};

/** The UDF of a family. */
export function family({ kernel, name = kernel }: BuiltinKernel): Udf {
  if (Object.hasOwn(FAMILIES, kernel)) return { ...FAMILIES[kernel](), name };
  const names = Object.keys(FAMILIES).join(", ");
  const text = `No kernel "${kernel}" can be a UDF by itself; these can: ${names}. ` +
    "Others are called from processTile, by kernel(kernels, family, dtype, byteOrder)";
  throw new TilewiseError("udf", text, { kernel, expected: names, found: String(kernel) });
}

/** Least and greatest sample of each frame: result `extremes`, float64, (…scan, 2); NaN is ignored. */
function minMax(): Udf<{ extremes: "float64" }> {
  return {
    name: "min_max",
    buffers({ nativeDType }) {
      mustBeReal(nativeDType, "find the extremes of", "min_max");
      const axes = [{ name: "extreme", names: ["least", "greatest"] }];
      return { extremes: { kind: "nav", dtype: "float64", extraShape: [2], values: "sums", axes } };
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ["min_max"],
    tiling: { contiguous: true },
    preprocess({ extremes }, { side }) {
      if (side === "main") return;
      for (let i = 0; i < extremes.length; i += 2) {
        extremes[i] = Infinity;
        extremes[i + 1] = -Infinity;
      }
    },
    processTile({ raw, frames, pixels }, { extremes }, { kernels }) {
      const run = kernel(kernels, "min_max", raw.dtype, raw.byteOrder);
      for (let f = 0; f < frames; f++) {
        run(extremes.byteOffset + 16 * f, raw.pointer + f * raw.frameStride, pixels);
      }
    },
  };
}
