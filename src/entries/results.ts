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

export { save } from "../pictures/face.ts";
export { saveAll, type SaveOptions } from "../pictures/save.ts";
export { arrayDigest } from "../udf/results/digest.ts";
export { type ManifestOptions, type RunManifest, runManifest } from "../udf/results/manifest.ts";
export { objectsOf } from "../udf/buffers/object_results.ts";
export type { Progress } from "../udf/plan/plan_facts.ts";
