/**
 * Pieces as arrays in chunks.
 *
 * @module
 */

import { type Box, box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { ChunkStorage, Piece, PieceStorage } from "../../layout/storage.ts";
import { chunkBuffers } from "../chunks/cuts.ts";

/** The piece as a separate array. */
export function chunksOfPiece(layout: FrameLayout, { chunks, from }: Piece): FrameLayout<ChunkStorage> {
  const sigShape = chunks.shape.slice(chunks.shape.length - from.length);
  return { ...layout, sigShape, storage: { kind: "chunks", chunks } };
}

/** Boxes of a piece are at most as large as the piece, and as the part that is read. */
export function largestOfPiece({ from, shape }: Piece, largest: Box): Box {
  return box(from, shape.map((size, d) => Math.min(size, largest.shape[d]!)));
}

/** The layout whose images are the rows of the only image of `layout`. */
export function unrolled(layout: FrameLayout<PieceStorage>): FrameLayout<PieceStorage> {
  const { byRow: _, ...storage } = layout.storage;
  return { ...layout, sigShape: layout.sigShape.slice(1), storage };
}

/** The part of each row that `part` has. */
export function partOfRow({ origin, shape }: Box): Box {
  return box(origin.slice(1), shape.slice(1));
}

/** Bytes of the buffers that a reader takes. */
export function pieceBuffers(layout: FrameLayout<PieceStorage>, maxFrames: number, largest: Box): number[] {
  const { parts, byRow } = layout.storage;
  if (byRow) return pieceBuffers(unrolled(layout), largest.shape[0]!, partOfRow(largest));
  return [
    maxFrames * boxSize(largest) * dtypeInfo(layout.dtype).itemSize,
    ...parts.flatMap((piece) =>
      chunkBuffers(chunksOfPiece(layout, piece), maxFrames, largestOfPiece(piece, largest), parts.length)
    ),
  ];
}
