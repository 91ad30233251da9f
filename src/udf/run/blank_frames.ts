/**
 * Counts positions of a scan without an image.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { checkDataset } from "../plan/given.ts";

/** Positions for which the data set has no valid image. */
export function blankFrames(dataset: Dataset): number {
  checkDataset("blankFrames()", dataset);
  const { frames, images, syncOffset, valid } = dataset;
  const first = Math.max(0, syncOffset);
  const stop = Math.min(images, frames + syncOffset);
  let shown = Math.max(0, stop - first);
  if (valid) { for (let image = first; image < stop; image++) if (valid[image] === 0) shown--; }
  return frames - shown;
}
