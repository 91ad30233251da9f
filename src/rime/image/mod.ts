/**
 * Images of visibilities, and visibilities of images and of many sources, by grids.
 *
 * @module
 */

export { degrid, type PointSources, predictByGridding } from "./degrid.ts";
export {
  type DirtyImage,
  dirtyImage,
  type DirtyImagePlan,
  mainLobe,
  planDirtyImage,
  pointSpread,
} from "./dirty.ts";
export type { ImageGrid } from "./grid.ts";
export type { DirtyImageOptions, ImagingOptions } from "./options.ts";
export { fitMainLobe, type MainLobe } from "./main_lobe.ts";
export type { ImagingInput, ImagingRows, RowValues } from "./rows.ts";
export type { ImageWeighting } from "./weighting.ts";
