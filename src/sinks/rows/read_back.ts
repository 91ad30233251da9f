/**
 * Samples of a file of rows, read back as they were in memory, also while other rows are still written.
 *
 * @module
 */

import type { ReadAt } from "../../io/write/scratch.ts";
import { type FramesToWrite, sizesOf, storedBytes, type WrittenLayout } from "./layout.ts";

/** Bytes of a read. */
const PIECE = 2 ** 20;

/** Reads the samples of rows `start` to `end`, little endian, piece by piece; a piece is valid until the next one is asked for. */
type ReadRows = (start: number, end: number) => Generator<Uint8Array<ArrayBuffer>>;

/** What reads rows of a file. */
export function rowsReader(read: ReadAt, frames: FramesToWrite, layout: WrittenLayout): ReadRows {
  const { frame, pitch } = sizesOf(frames, layout), isPlain = pitch === frame;
  const many = Math.max(1, Math.floor(PIECE / pitch)), buffer = new Uint8Array(PIECE);
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
  function* run(position: number, bytes: number) {
    for (let at = 0; at < bytes; at += PIECE) {
      yield asInMemory(pieceAt(position + at, Math.min(PIECE, bytes - at)));
    }
  }
  return function* (start, end) {
    if (isPlain) return yield* run(start * pitch, (end - start) * frame);
    for (let first = start; first < end; first += many) {
      const count = Math.min(many, end - first);
      if (count === 1) {
        yield* run(first * pitch + layout.headerBytes, frame);
        continue;
      }
      const piece = pieceAt(first * pitch, count * pitch);
      for (let at = layout.headerBytes; at < piece.length; at += pitch) {
        yield asInMemory(piece.subarray(at, at + frame));
      }
    }
  };
}
