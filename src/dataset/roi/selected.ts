/**
 * Which positions of a scan are selected. Regions are made from what callers give in `roi.ts`.
 *
 * @module
 */

import { lowerBound } from "../../space/search.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/**
 * A region of interest, checked; plain data that `postMessage` can carry.
 * @category Regions of interest
 */
export interface Roi {
  /** Positions of the scan. */
  readonly frames: number;
  /** Positions that are selected. */
  readonly count: number;
  /** One byte per position, 1 for selected; `null` when no region was given and all are selected. */
  readonly mask: Uint8Array | null;
  /** The selected positions in ascending order; `null` with `mask`. */
  readonly indices: Uint32Array | null;
}

/** The region of a caller who gives none: all positions. */
export function everything(navShape: Shape): Roi {
  const frames = sizeOf(navShape);
  return { frames, count: frames, mask: null, indices: null };
}

/** The region of interest with a mask of 0 and 1; `check` may refuse its number of positions. */
export function roiOf(mask: Uint8Array, check: (count: number) => void = () => {}): Roi {
  const frames = mask.length;
  let count = 0;
  for (let i = 0; i < frames; i++) if (mask[i]) count++;
  check(count);
  const indices = new Uint32Array(count);
  let next = 0;
  for (let i = 0; i < frames; i++) if (mask[i]) indices[next++] = i;
  return { frames, count, mask, indices };
}

/** Bytes that a region of interest holds: its mask, and its indices. */
export function roiBytes({ frames, mask, indices }: Roi): number {
  return (mask ? frames : 0) + (indices?.byteLength ?? 0);
}

/** Positions that indices of 32 bits can tell apart. */
export const MOST_POSITIONS: number = 2 ** 32;

/** How many selected positions lie before `position`: its compressed number, if it is selected. */
export function selectedBefore({ frames, indices }: Roi, position: number): number {
  if (!indices) return Math.max(0, Math.min(position, frames));
  return lowerBound(indices, position);
}

// Invalid images: no run selects the positions that show them.

/**
 * The region of interest without positions whose image is not valid: runs treat these as not selected.
 *
 * @example Image 1 is invalid
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { normalizeRoi } from "./roi.ts";
 * const roi = selectValid(normalizeRoi(undefined, [3]), { valid: Uint8Array.of(1, 0, 1), syncOffset: 0 });
 * assertEquals(roi.indices, Uint32Array.of(0, 2));
 * ```
 */
export function selectValid(roi: Roi, { valid, syncOffset }: ImagesOfScan): Roi {
  if (!valid) return roi;
  const mask = new Uint8Array(roi.frames);
  for (let position = 0; position < mask.length; position++) {
    const isSelected = !roi.mask || roi.mask[position];
    if (isSelected && valid[position + syncOffset] !== 0) mask[position] = 1; // those without an image are blank anyway
  }
  return roiOf(mask);
}

/** The images of a scan. */
interface ImagesOfScan {
  readonly syncOffset: number;
  readonly valid?: Uint8Array | undefined;
}
