/**
 * The measurement equation of radio interferometry: visibilities of a sky, and images of visibilities.
 *
 * @example A source at the phase centre
 * ```ts
 * import { openObservation, readSky } from "@tilewise/tilewise/observations";
 * import { predict } from "@tilewise/tilewise/rime";
 * import { assertEquals } from "@std/assert";
 *
 * await using observation = await openObservation({ // or "3c286.ms"
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9],
 *   antenna1: [0],
 *   antenna2: [1],
 *   uvw: [3, 4, 0],
 * });
 * const sky = await readSky(new TextEncoder().encode("Name,l,m,I,Q\ncentre,0,0,2,1\n")); // or "sky.txt"
 * const model = await predict(sky, observation);
 * assertEquals([model.shape, [...model.data]], [[1, 1, 2], [3, 0, 1, 0]]);
 * ```
 *
 * @module
 */

export type { Direction } from "../rime/geometry/directions.ts";
export { type DirtyImage, dirtyImage } from "../rime/image/dirty.ts";
export type { DirtyImageOptions } from "../rime/image/options.ts";
export type { ImageGrid } from "../rime/image/grid.ts";
export type { ImagingInput } from "../rime/image/rows.ts";
export { type ObservedOptions, predict, type Visibilities } from "../rime/observed/predict.ts";
export { type ImagePlane, imagePlanes, type ImagePlanesOptions } from "../rime/observed/image_planes.ts";
export { skyModel } from "../rime/observed/sky_model.ts";
export {
  planPredict,
  type PredictOptions,
  type PredictPlan,
  type PredictRunSettings,
} from "../rime/predict/predict.ts";
export type { PredictInput, SkyModel } from "../rime/predict/problem.ts";
