/**
 * Sync offset: which positions of a scan show an image, and which image.
 *
 * Position `n` shows image `n + syncOffset`. A positive offset skips images at the start and leaves blank
 * positions at the end; a negative one leaves blank positions at the start.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** What decides which positions show an image: a {@link Dataset} will do. */
export interface Synchronised {
  /** Positions of the scan. */
  readonly frames: number;
  /** Images in the files. */
  readonly images: number;
  /** Images skipped at the start (positive) or blank positions before the first image (negative). */
  readonly syncOffset: number;
}

/** A half-open range of positions. */
export interface PositionRange {
  /** The first position. */
  readonly start: number;
  /** One past the last; equal to `start` when there is none. */
  readonly stop: number;
}

/**
 * The positions in `[start, stop)` that show an image; add `syncOffset` to get images. The others are blank.
 *
 * @example Sixteen images, the scan begins three positions before the first
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const scan = { frames: 16, images: 16, syncOffset: -3 };
 * assertEquals(visiblePositions(scan), { start: 3, stop: 16 });
 * assertEquals(visiblePositions(scan, 0, 2), { start: 2, stop: 2 });
 * ```
 */
export function visiblePositions(
  { frames, images, syncOffset }: Synchronised,
  start: number = 0,
  stop: number = frames,
): PositionRange {
  const first = Math.max(0, -syncOffset);
  const last = Math.min(frames, images - syncOffset);
  const begin = Math.min(Math.max(start, first), stop);
  return { start: begin, stop: Math.max(begin, Math.min(stop, last)) };
}

/** Refuses a sync offset that would skip every image or leave every position blank. */
export function checkSyncOffset(syncOffset: number, images: number): void {
  if (Number.isSafeInteger(syncOffset) && Math.abs(syncOffset) < images) return;
  throw new TilewiseError(
    "invalid",
    `Cannot use sync offset ${syncOffset} with ${images} images; it must be a whole number above ${-images} and below ${images}`,
    { option: "syncOffset", found: syncOffset, expected: images },
  );
}
