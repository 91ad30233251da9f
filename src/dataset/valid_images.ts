/**
 * Images that mean nothing: no run selects the positions that show them.
 *
 * @module
 */

import type { Dataset } from "./dataset.ts";
import type { Roi } from "./roi.ts";

/**
 * The region of interest without positions whose image is not valid: runs treat them as if nobody had selected them.
 *
 * @example Image 1 means nothing
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { normalizeRoi } from "./roi.ts";
 * const roi = selectValid(normalizeRoi(undefined, [3]), { valid: Uint8Array.of(1, 0, 1), syncOffset: 0 });
 * assertEquals([...roi.indices!], [0, 2]);
 * ```
 */
export function selectValid(roi: Roi, { valid, syncOffset }: Pick<Dataset, "syncOffset"> & ValidImages): Roi {
  if (!valid) return roi;
  const mask = Uint8Array.from({ length: roi.frames }, (_, position) => {
    const isSelected = !roi.mask || roi.mask[position];
    return isSelected && valid[position + syncOffset] !== 0 ? 1 : 0; // positions without an image are blank anyway
  });
  const indices = Uint32Array.from(mask.keys()).filter((position) => mask[position]);
  return { frames: roi.frames, count: indices.length, mask, indices };
}

interface ValidImages {
  readonly valid?: Uint8Array | undefined;
}
