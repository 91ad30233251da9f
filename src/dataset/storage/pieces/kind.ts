/**
 * Frames put together from pieces of other arrays: the facts for planners.
 *
 * @module
 */

import type { PieceStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { chunkKernels } from "../chunks/chunk_kernels.ts";
import { pieceBuffers } from "./parts.ts";

/** Pieces, each an array in chunks. */
export const PIECES: StorageKind<PieceStorage> = {
  ...USUAL,
  inOrder: false,
  buffers: (layout, { frames, box }) => pieceBuffers(layout, frames, box),
  kernels: ({ storage: { parts } }) => parts.flatMap(({ chunks }) => chunkKernels(chunks)),
  whole: () => undefined,
  facts: ({ byteOrder }) => ({ order: "C", words: [`${byteOrder} endian`] }),
};
