/**
 * Tiles of frames in sectors: parts of one half of a sector, of many frames.
 *
 * ```
 * frame  ┌───┬───┬ … ┬───┐      a half of a sector lies in one range of its file: 16 blocks. Tiles are its slabs, one
 *        │ 1 │ 2 │   │ 8 │      after another, so that the blocks of many frames fit the caches until all slabs are done,
 *        ├───┼───┼ … ┼───┤      and sums over the frames of a tile are looked at once for all of them.
 *        │ 9 │10 │   │16 │
 *        └───┴───┴ … ┴───┘
 * ```
 *
 * @module
 */

import { type Box, box } from "../../../space/box.ts";
import { type Shape, showShape } from "../../../space/shape.ts";
import { framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import { BLOCK_ROWS, BLOCKS_ACROSS, K2_SHAPE, SECTOR_BYTES, SECTORS } from "../../layout/sectors.ts";
import { floorPowerOfTwo, type TilingScheme } from "../../tiling/tiling_scheme.ts";

/** Columns of a sector. */
const COLUMNS = K2_SHAPE[1]! / SECTORS;

/** Most frames of a tile: their blocks have less than 6 MiB, and sums are looked at once for all of them. */
const MOST_FRAMES = 16;

/** Most bytes of the samples of a tile: half of a usual second-level cache, as sums and blocks need room, too. */
const TILE_BYTES = 2 ** 19;

/** The half of a sector in which a part of a frame lies; nothing if it is in several, or frames have another shape. */
export function halfSectorOf(
  { origin, shape }: Box,
  sigShape: Shape,
): { readonly sector: number; readonly half: number } | undefined {
  if (sigShape.length !== 2 || sigShape.some((n, d) => n !== K2_SHAPE[d])) return undefined;
  const [y, x] = origin as [number, number], [height, width] = shape as [number, number];
  const [sector, half] = [Math.floor(x / COLUMNS), Math.floor(y / BLOCK_ROWS)];
  const inside = width === COLUMNS && x % COLUMNS === 0 && height > 0 &&
    y + height <= (half + 1) * BLOCK_ROWS;
  return inside ? { sector, half } : undefined;
}

/** Tiles for functions that take any box; nothing if frames have another shape than the camera gives them. */
export function sectorTiles(
  sigShape: Shape,
  { partitionFrames, bytes }: { readonly partitionFrames: number; readonly bytes: number },
): TilingScheme | undefined {
  const whole = { origin: [0, 0], shape: [BLOCK_ROWS, COLUMNS] };
  if (!halfSectorOf(whole, sigShape)) return undefined;
  const depth = floorPowerOfTwo(Math.min(MOST_FRAMES, partitionFrames));
  const slabs = Math.ceil(
    BLOCK_ROWS / Math.max(1, Math.floor(Math.min(bytes, TILE_BYTES) / (2 * COLUMNS * depth))),
  );
  const rows = Math.ceil(BLOCK_ROWS / slabs);
  const slices: Box[] = [];
  for (let half = 0; half < 2; half++) {
    for (let sector = 0; sector < SECTORS; sector++) {
      for (let y = 0; y < BLOCK_ROWS; y += rows) {
        const height = Math.min(rows, BLOCK_ROWS - y);
        slices.push(box([half * BLOCK_ROWS + y, sector * COLUMNS], [height, COLUMNS]));
      }
    }
  }
  const tileShape = [depth, rows, COLUMNS];
  return {
    tileShape,
    slices,
    intent: "tile",
    depth,
    why: [
      `Tiles of ${
        showShape(tileShape)
      } in one half of a sector each, sector by sector: ${slices.length} a frame`,
    ],
    warnings: [],
    boxes: true,
  };
}

/** Bytes of a row of samples. */
export const ROW_BYTES: number = 2 * K2_SHAPE[1]!;
/** Bytes between frames: rows are 4 KiB, and frames at multiples of that would share few lines of the L1 cache. */
export const PADDING = 192;

/** Bytes of a row of a part in one half of a sector. */
export const HALF_ROW_BYTES: number = 2 * 16 * BLOCKS_ACROSS;
/** Bytes between such parts: at multiples of 4 KiB they would share few lines of the first cache. */
export const HALF_PADDING = 192;

/** Bytes of the buffers that a reader of `largest` takes: blocks, and samples. */
export function sectorBuffers(layout: FrameLayout, maxFrames: number, largest: Box): number[] {
  return halfSectorOf(largest, layout.sigShape)
    ? halfBuffers(maxFrames, largest)
    : anyBuffers(layout, maxFrames, largest);
}

/** Those of a reader of parts in one half of a sector. */
export function halfBuffers(maxFrames: number, { shape }: Box): number[] {
  return [maxFrames * SECTOR_BYTES / 2, maxFrames * (shape[0]! * HALF_ROW_BYTES + HALF_PADDING)];
}

/** Those of a reader of any parts. */
export function anyBuffers(layout: FrameLayout, maxFrames: number, largest: Box): number[] {
  const { starts, runBytes } = framePart(layout, largest);
  const rows = Math.ceil(((starts.at(-1) ?? 0) - (starts[0] ?? 0) + runBytes) / ROW_BYTES);
  const most = Math.min(rows + 1, K2_SHAPE[0]!); // one more where a part begins inside of a row
  return [maxFrames * SECTORS * SECTOR_BYTES, maxFrames * (most * ROW_BYTES + PADDING)];
}
