/**
 * Invalid images: no run selects the positions that show them.
 *
 * @module
 */

import type { StoredDataset } from "./dataset.ts";
import { type Roi, roiOf } from "./roi/selected.ts";

/**
 * The region of interest without positions whose image is not valid: runs treat these as not selected.
 *
 * @example Image 1 is invalid
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { normalizeRoi } from "./roi/roi.ts";
 * const roi = selectValid(normalizeRoi(undefined, [3]), { valid: Uint8Array.of(1, 0, 1), syncOffset: 0 });
 * assertEquals(roi.indices, Uint32Array.of(0, 2));
 * ```
 */
export function selectValid(
  roi: Roi,
  { valid, syncOffset }: Pick<StoredDataset, "syncOffset"> & ValidImages,
): Roi {
  if (!valid) return roi;
  const mask = new Uint8Array(roi.frames);
  for (let position = 0; position < mask.length; position++) {
    const isSelected = !roi.mask || roi.mask[position];
    if (isSelected && valid[position + syncOffset] !== 0) mask[position] = 1; // those without an image are blank anyway
  }
  return roiOf(mask);
}

interface ValidImages {
  readonly valid?: Uint8Array | undefined;
}
