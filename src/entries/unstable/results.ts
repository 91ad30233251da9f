/**
 * The rest of results: data sets as files, colour maps, parts of manifests.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example What a file cannot keep
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { lossesIn } from "@tilewise/tilewise/unstable/results";
 * import { assertEquals } from "@std/assert";
 *
 * const line = { ...ndarray(Float32Array.of(1, 2), [2], "float32"), axes: [{ name: "x", scale: 0.5, unit: "nm" }] };
 * assertEquals(await lossesIn(line, "line.npy"), "scale and unit of x");
 * ```
 *
 * @module
 */

export { type Colormap, COLORMAPS } from "../../pictures/colours/colormap.ts";
export type { PictureOptions } from "../../pictures/picture.ts";
export type { PngOptions } from "../../sinks/png/png.ts";
export { lossesIn, saveVectors } from "../../pictures/save.ts";
export type { Limits, ScaleOptions } from "../../pictures/scale.ts";
export type { Glance } from "../../udf/results/digest.ts";
export type { ManifestCommand, ManifestResult, ManifestUdf, PartialRun } from "../../udf/results/manifest.ts";
export {
  exportDataset,
  type Exported,
  type ExportOptions,
  type ExportPlan,
  planExport,
} from "../../udf/run/export_dataset.ts";
