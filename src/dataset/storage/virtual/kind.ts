/**
 * Frames put together from boxes of other arrays (virtual data sets): the facts for planners.
 *
 * @module
 */

import type { VirtualStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { chunkKernels } from "../chunks/kind.ts";
import { virtualBuffers } from "./parts.ts";

/** Sources, each an array in chunks. */
export const VIRTUAL: StorageKind<VirtualStorage> = {
  ...USUAL,
  inOrder: false,
  buffers: (layout, { frames, box }) => virtualBuffers(layout, frames, box),
  kernels: ({ storage: { parts } }) => parts.flatMap(({ chunks }) => chunkKernels(chunks)),
  whole: () => undefined,
  facts: ({ byteOrder }) => ({ order: "C", words: [`${byteOrder} endian`] }),
};
