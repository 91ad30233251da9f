/**
 * Arrays in chunks: the facts for planners.
 *
 * @module
 */

import { bandOf } from "../../layout/chunks.ts";
import type { ChunkStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { chunkBuffers } from "./cuts.ts";

/** Chunks, each with filters of its own. */
export const CHUNKS: StorageKind<ChunkStorage> = {
  ...USUAL,
  inOrder: false,
  buffers: (layout, { frames, box }) => chunkBuffers(layout, frames, box),
  bands: ({ storage: { chunks }, sigShape }) => ({ band: bandOf(chunks, sigShape.length).frames }),
  // Whole rows of chunks: no chunk is decoded for two tiles of the same frames.
  baseShape: ({ storage: { chunks: { chunk } }, sigShape }) => {
    if (sigShape.length === 0) return undefined;
    const height = chunk[chunk.length - sigShape.length]!;
    return sigShape.map((n, d) => d === 0 ? Math.min(n, height) : n);
  },
  whole: () => undefined,
  facts: ({ byteOrder }) => ({ order: "C", words: [`${byteOrder} endian`] }),
};
