/** The chunks of a data set that is stored in chunks. */

import type { StoredDataset } from "../../src/dataset/dataset.ts";
import type { ChunkLayout } from "../../src/dataset/layout/chunks.ts";

/** Where the chunks of `dataset` lie; an error where it has none. */
export function chunksOf({ layout: { storage } }: Pick<StoredDataset, "layout">): ChunkLayout {
  if (storage.kind !== "chunks") throw new Error(`frames are stored as ${storage.kind}`);
  return storage.chunks;
}
