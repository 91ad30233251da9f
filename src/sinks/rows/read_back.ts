/**
 * Samples of a file of rows, read back as they were in memory.
 *
 * @module
 */

import type { ReadAt } from "../../io/write/scratch.ts";
import { sizeOf } from "../../space/shape.ts";
import { type FramesToWrite, sizesOf, storedBytes, type WrittenLayout } from "./layout.ts";

/** Bytes of a read. */
const PIECE = 2 ** 20;

/** All samples, little endian, from the first to the last, piece by piece; a piece is valid until the next one is asked for. */
export function* samplesIn(
  read: ReadAt,
  frames: FramesToWrite,
  layout: WrittenLayout,
): Generator<Uint8Array<ArrayBuffer>> {
  const { frame, pitch } = sizesOf(frames, layout), all = sizeOf(frames.nav);
  const buffer = new Uint8Array(PIECE);
  const pieceAt = (position: number, length: number) => {
    const piece = buffer.subarray(0, length);
    read(piece, layout.head.length + position);
    return piece;
  };
  const { byteOrder, isShifted = false } = layout;
  const asInMemory = (piece: Uint8Array<ArrayBuffer>) => {
    // the steps of writing undo themselves, last first
    storedBytes(piece, { byteOrder }, frames.dtype, piece);
    return storedBytes(piece, { byteOrder: "little", isShifted }, frames.dtype, piece);
  };
  const isPlain = pitch === frame, [rows, row] = isPlain ? [1, all * frame] : [all, frame];
  const many = isPlain ? 1 : Math.max(1, Math.floor(PIECE / pitch));
  for (let first = 0; first < rows; first += many) {
    const count = Math.min(many, rows - first), start = first * pitch;
    if (count > 1) {
      const piece = pieceAt(start, count * pitch);
      for (let at = layout.headerBytes; at < piece.length; at += pitch) {
        yield asInMemory(piece.subarray(at, at + frame));
      }
    } else {
      for (let at = 0; at < row; at += PIECE) {
        yield asInMemory(pieceAt(start + layout.headerBytes + at, Math.min(PIECE, row - at)));
      }
    }
  }
}
