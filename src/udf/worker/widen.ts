/**
 * Samples for kernels: converts types that no kernel takes.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { RawSamples, Tile } from "../interface/tile.ts";
import type { DataMeta, Udf } from "../interface/udf.ts";

const WIDER: Readonly<{ [dtype in DType]?: DType }> = {
  int64: "float64",
  uint64: "float64",
  float16: "float32",
};

/**
 * The type to which samples of `udf` are converted because no kernel takes their type; `undefined`: they are not
 * converted.
 */
export function widerDType(
  { raw }: Pick<Udf, "raw">,
  { datasetDType, corrected }: Pick<DataMeta, "datasetDType" | "corrected">,
): DType | undefined {
  return raw === "kernels" && !corrected ? WIDER[datasetDType] : undefined;
}

/** The converted samples of a tile in the form that kernels take. */
export function convertedSamples(tile: Tile, dtype: DType): RawSamples {
  const frameStride = tile.pixels * dtypeInfo(dtype).itemSize;
  return { pointer: tile.data.byteOffset, frameStride, dtype, byteOrder: "little" };
}
