/**
 * Checks the headers of blocks: a frame with a missing block is an error, never a mixture of two frames.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type FrameLayout, imageCount } from "../../layout/layout.ts";
import type { SectorStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import {
  BLOCK_BYTES,
  blockHeader,
  BLOCKS_ACROSS,
  SECTOR_BLOCKS,
  SECTOR_BYTES,
} from "../../layout/sectors.ts";

/** Bytes of a half of a sector. */
export const HALF_BYTES: number = SECTOR_BYTES / 2;

/** Half of a sector of one frame, in memory. */
export interface LoadedHalf {
  /** Its image. */
  readonly image: number;
  /** Its sector. */
  readonly sector: number;
  /** Upper (0) or lower (1). */
  readonly half: number;
  /** Where it lies. */
  readonly address: number;
}

/** Where a half of a sector lies in its file. */
export function offsetOfHalf(
  { files }: FrameLayout<SectorStorage>,
  sector: number,
  image: number,
  half: number,
): number {
  return files[sector]!.headerBytes + image * SECTOR_BYTES + half * HALF_BYTES;
}

/**
 * Refuses blocks that do not belong here: those of another place, of another frame than `frame`, if that is known. Gives
 * the number of the frame.
 */
export function checkBlocks(
  view: DataView,
  { image, sector, half, address }: LoadedHalf,
  layout: FrameLayout<SectorStorage>,
  files: OpenFiles,
  frame: number | undefined,
): number {
  const wrong = (place: number, problem: string, expected?: number, found?: number) => {
    const file = files.get(sector)?.name ?? `the file of sector ${sector + 1}`;
    const offset = offsetOfHalf(layout, sector, image, half) + (place % BLOCKS_ACROSS) * BLOCK_BYTES;
    const text =
      `Cannot read image ${image} of ${imageCount(layout)}: block ${place} of sector ${sector + 1}, ` +
      `at byte ${offset} of ${file}: ${problem}`;
    const numbers = {
      ...(expected === undefined ? {} : { expected }),
      ...(found === undefined ? {} : { found }),
    };
    return new TilewiseError("malformed", text, { file, offset, image, block: place, ...numbers });
  };
  for (let b = 0; b < BLOCKS_ACROSS; b++) {
    const place = half * BLOCKS_ACROSS + b;
    const count = layout.storage.firstBlock + image * SECTOR_BLOCKS + place;
    const header = blockHeader(view, address + b * BLOCK_BYTES);
    if (!header) throw wrong(place, "no block begins there");
    if (header.count !== count) {
      const text = `the block has number ${header.count}, ${count} should follow: blocks are missing`;
      throw wrong(place, text, count, header.count);
    }
    if (header.place !== place) throw wrong(place, `the block belongs to place ${header.place} of a sector`);
    frame ??= header.frame;
    if (header.frame === frame) continue;
    const text = `the block is of frame number ${header.frame}, others of frame number ${frame}`;
    throw wrong(place, text, frame, header.frame);
  }
  return frame!;
}
