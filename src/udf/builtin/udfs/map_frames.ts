/**
 * The UDF that calls the function of a module with each frame.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import { importExport } from "../../../runner/import_export.ts";
import type { Udf } from "../../interface/udf.ts";
import type { FrameFunction, MapOptions } from "../map/options.ts";
import { mapUdf, type Parts, type Types } from "../map/udf.ts";

/** The UDF behind `mapFrames` of a module. */
export async function map(
  { module, export: name, ...options }: MapOptions & { module: string; export: string },
): Promise<Udf<Types, Parts>> {
  const found = await importExport(module, name, "function");
  if (typeof found === "function") return mapUdf(found as FrameFunction<TypedArray>, name, options);
  const text = `Cannot map "${name}" of ${module}: it is no function of a frame, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
}
