/**
 * Data sets whose frames are single values, as arrays of no dimensions are: runs take frames of one dimension or more.
 *
 * @module
 */

import { StoredDataset } from "./dataset.ts";
import type { ChunkLayout } from "./layout/chunks.ts";
import { type FrameLayout, isStoredAs, storedAs } from "./layout/layout.ts";

/** The data set with single values as frames of one sample; the same if its frames have dimensions. */
export function asFrames(dataset: StoredDataset): StoredDataset {
  const { layout, sigShape, axes } = dataset;
  if (sigShape.length > 0) return dataset;
  const stored = isStoredAs(layout, "chunks")
    ? storedAs(layout, { ...layout.storage, chunks: oneMore(layout.storage.chunks) })
    : layout;
  return new StoredDataset({
    ...dataset,
    axes: [...axes, {}],
    layout: { ...stored, sigShape: [1] } satisfies FrameLayout,
  });
}

/** The same chunks with a last dimension of one sample, which their keys do not have. */
function oneMore(chunks: ChunkLayout): ChunkLayout {
  const { shape, chunk, keyed, shards, order } = chunks;
  const last = shape.length;
  const dims = shape.map((_, d) => d);
  return {
    ...chunks,
    shape: [...shape, 1],
    chunk: [...chunk, 1],
    ...(order ? { order: [...order, last] } : {}),
    ...(keyed
      ? { keyed: { ...keyed, order: keyed.order ?? dims, prefix: last === 0 ? keyed.scalar : keyed.prefix } }
      : {}),
    ...(shards
      ? {
        shards: shards.map((level) => ({
          ...level,
          shape: [...level.shape, 1],
          order: [...level.order ?? dims, last],
        })),
      }
      : {}),
  };
}
