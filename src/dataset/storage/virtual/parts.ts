/**
 * Sources as arrays in chunks.
 *
 * @module
 */

import { type Box, box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { ChunkStorage, VirtualSource, VirtualStorage } from "../../layout/storage.ts";
import { chunkBuffers } from "../chunks/cuts.ts";

/** The source as a separate array. */
export function chunksOfSource(
  layout: FrameLayout,
  { chunks, from }: VirtualSource,
): FrameLayout<ChunkStorage> {
  const sigShape = chunks.shape.slice(chunks.shape.length - from.length);
  return { ...layout, sigShape, storage: { kind: "chunks", chunks } };
}

/** Boxes of a source are at most as large as the source, and as the part that is read. */
export function largestOfSource({ from, shape }: VirtualSource, largest: Box): Box {
  return box(from, shape.map((size, d) => Math.min(size, largest.shape[d]!)));
}

/** The layout whose images are the rows of the only image of `layout`. */
export function unrolled(layout: FrameLayout<VirtualStorage>): FrameLayout<VirtualStorage> {
  const { byRow: _, ...storage } = layout.storage;
  return { ...layout, sigShape: layout.sigShape.slice(1), storage };
}

/** The part of each row that `part` has. */
export function partOfRow({ origin, shape }: Box): Box {
  return box(origin.slice(1), shape.slice(1));
}

/** Bytes of the buffers that a reader takes. */
export function virtualBuffers(
  layout: FrameLayout<VirtualStorage>,
  maxFrames: number,
  largest: Box,
): number[] {
  const { parts, byRow } = layout.storage;
  if (byRow) return virtualBuffers(unrolled(layout), largest.shape[0]!, partOfRow(largest));
  return [
    maxFrames * boxSize(largest) * dtypeInfo(layout.dtype).itemSize,
    ...parts.flatMap((source) =>
      chunkBuffers(chunksOfSource(layout, source), maxFrames, largestOfSource(source, largest), parts.length)
    ),
  ];
}
