/**
 * Which forms of tiles UDFs need, and how large they are at most: for planners and for workers.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { FormNeed, FormSizes } from "../buffers/form_buffers.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import { mostPixels, type TileReading } from "./tile_reader.ts";
import { widerDType } from "./widen.ts";

/** The largest sizes of tiles that are read like this; `corrected`: type of the samples after corrections. */
export function formSizes(how: TileReading, corrected?: DType): FormSizes {
  const { source, layout, frames, entries, slices } = how;
  const dtype = corrected ?? layout.dtype;
  return { source, dtype, frames, pixels: mostPixels(slices), entries, parts: slices.length > 1 };
}

/** The form of tiles that a UDF needs. */
export function formNeed(udf: Udf, meta: UdfMeta): FormNeed {
  const raw = udf.raw !== undefined && udf.raw !== false && !widerDType(udf, meta);
  return { backend: meta.backend, dtype: meta.inputDType, raw };
}
