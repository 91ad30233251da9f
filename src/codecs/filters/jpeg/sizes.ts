/**
 * How much memory JPEG needs, and how it is divided.
 *
 * @module
 */

import { JPEG_CODE_BYTES, JPEG_SPARE } from "../../../kernels/families/filters.ts";

/** Units of a scan whose coefficients are computed in one call. */
export const UNITS = 32;
/** Most blocks of a unit, by the standard. */
export const MOST_BLOCKS = 10;
/** Pixels by which an image may be wider than what is stored of it, because of whole units. */
const EXTRA = 64;

const SPARE = 576 + 4 * 128, CODES = SPARE + JPEG_SPARE, BLOCKS = CODES + 8 * JPEG_CODE_BYTES;

/** Where things lie in the scratch memory; a status is first. */
export const PLACES = {
  state: 64,
  plan: 128,
  /** A code as it is stored. */
  stored: 256,
  /** Four quantization tables. */
  tables: 576,
  /** Of the kernels. */
  spare: SPARE,
  /** Eight codes. */
  codes: CODES,
  /** Coefficients of some units. */
  blocks: BLOCKS,
  rows: BLOCKS + 128 * UNITS * MOST_BLOCKS,
} as const;

/**
 * Bytes that JPEG needs for tiles with `values` (see `jpeg.ts`), which have `room` bytes: two bands of blocks, of twice as many
 * rows where there are several components, and a wide row per component.
 */
export function jpegScratch(room: number, [width = 0, height = 0, samples = 1]: readonly number[]): number {
  const across = Math.min(width, 65535) + EXTRA, count = Math.min(samples, 4);
  const size = room >= 2 * width * height * samples ? 2 : 1;
  return PLACES.rows + size * across * count * (count === 1 ? 17 : 33);
}
