/**
 * Results: files, pictures, digests, and the manifest of a run.
 *
 * @example A manifest: what was read and computed, with digests of the results
 * ```ts
 * import { open, plan, run, sumFrames } from "@tilewise/tilewise";
 * import { arrayDigest, runManifest } from "@tilewise/tilewise/results";
 * import { assertEquals } from "@std/assert";
 *
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const planned = await plan(scan, { dp: sumFrames() });
 * const results = await run(planned);
 * const manifest = await runManifest(planned, results);
 * assertEquals(manifest.results.map(({ sha256 }) => sha256), [await arrayDigest(results.dp.intensity)]);
 * ```
 *
 * @module
 */

import "../threads.ts";

export { type Colormap, COLORMAPS } from "../pictures/colours/colormap.ts";
export type { PictureOptions } from "../pictures/picture.ts";
export type { PngOptions } from "../sinks/png/png.ts";
export { save } from "../pictures/face.ts";
export { lossesIn, saveAll, type SaveOptions, saveVectors } from "../pictures/save.ts";
export type { Limits, ScaleOptions } from "../pictures/scale.ts";
export type { ObjectArray } from "../udf/interface/object_array.ts";
export { arrayDigest, type Glance } from "../udf/results/digest.ts";
export {
  type ManifestCommand,
  type ManifestOptions,
  type ManifestResult,
  type ManifestUdf,
  type PartialRun,
  type RunManifest,
  runManifest,
} from "../udf/results/manifest.ts";
export { objectsOf } from "../udf/buffers/object_results.ts";
export { exportDataset, type Exported, type ExportOptions } from "../udf/run/export_dataset.ts";
export type { Progress } from "../udf/run/progress.ts";
