/**
 * Frames of a Gatan K2 Summit camera: eight files, each with one sector of every frame, in blocks.
 *
 * ```
 * frame    8 sectors of 256 columns            sector   ┌──┬──┬ … ┬──┐ 930 rows
 *          ┌───┬───┬───┬ … ┬───┐                        │15│14│   │ 0│
 *    1860  │ 1 │ 2 │ 3 │   │ 8 │                        ├──┼──┼ … ┼──┤
 *    rows  └───┴───┴───┴ … ┴───┘                        │31│30│   │16│
 *                                                       └──┴──┴ … ┴──┘ 16 columns each
 * block    sync FFFF0055₃₂ · 4 · version₈ flags₈ · 6 · count₃₂ width₁₆ height₁₆ frame₃₂ x₁₆ y₁₆ x₁₆ y₁₆ bytes₃₂
 *          then 930 rows of 16 values of 12 bits, the lowest first; the numbers of the header are big endian
 * ```
 * Source: the layout as LiberTEM describes it.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/** Files, and parts of a frame side by side. */
export const SECTORS = 8;
/** Rows of a block. */
export const BLOCK_ROWS = 930;
/** Blocks that lie side by side. */
export const BLOCKS_ACROSS = 16;
/** Blocks of a sector. */
export const SECTOR_BLOCKS: number = 2 * BLOCKS_ACROSS;
/** Bytes of a block, with its header. */
export const BLOCK_BYTES = 22360;
/** Bytes of a header. */
export const BLOCK_HEADER = 40;
/** Bytes of a row of a block: 16 values of 12 bits. */
export const BLOCK_ROW_BYTES = 24;
/** Bytes of a sector of one frame. */
export const SECTOR_BYTES: number = SECTOR_BLOCKS * BLOCK_BYTES;
/** Shape of a frame. */
export const K2_SHAPE: Shape = [2 * BLOCK_ROWS, SECTORS * BLOCKS_ACROSS * 16];

const SYNC = 0xffff0055;

/** The header of a block. */
export interface BlockHeader {
  /** Its number since the camera began to run. */
  readonly count: number;
  /** Number of its frame. */
  readonly frame: number;
  /** Place in the sector, 0 to 31; −1 if its coordinates are those of no block. */
  readonly place: number;
  /** Whether the shutter was open. */
  readonly shutter: boolean;
}

/** The header at byte `at`; nothing if no block begins there. */
export function blockHeader(view: DataView, at: number): BlockHeader | undefined {
  const isBlock = view.getUint32(at) === SYNC && view.getUint16(at + 20) === 16 * BLOCKS_ACROSS &&
    view.getUint16(at + 22) === 2 * BLOCK_ROWS && view.getUint32(at + 36) === BLOCK_BYTES;
  if (!isBlock) return undefined;
  return {
    count: view.getUint32(at + 16),
    frame: view.getUint32(at + 24),
    place: placeOf(view.getUint16(at + 28), view.getUint16(at + 30)),
    shutter: (view.getUint8(at + 9) & 1) === 1,
  };
}

function placeOf(x: number, y: number): number {
  const [column, row] = [x / 16, y / BLOCK_ROWS];
  const isPlace = Number.isInteger(column) && column < BLOCKS_ACROSS && (row === 0 || row === 1);
  return isPlace ? BLOCKS_ACROSS - 1 - column + BLOCKS_ACROSS * row : -1;
}
