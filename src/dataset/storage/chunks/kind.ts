/**
 * Arrays in chunks: the facts for planners.
 *
 * @module
 */

import { filterKernels } from "../../../codecs/filters/registry.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import { bandOf, chunkBytes, type ChunkLayout, gridOfChunks } from "../../layout/chunks.ts";
import type { ChunkStorage } from "../../layout/storage.ts";
import { showShape } from "../../../space/shape.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import { type Decodes, type DecodeSize, type StorageKind, USUAL } from "../common/kind.ts";
import { chunkBuffers, cutsOf, hasDeepBands } from "./cuts.ts";

/** The families of kernels that undo the filters of chunks, and put them into frames. */
export function chunkKernels({ filters, order, shards = [] }: ChunkLayout): KernelFamily[] {
  const all = [...filters, ...shards.flatMap((level) => level.filters)].map(({ name }) => name);
  return ["copy_rows", ...[...all, ...(order ? ["transpose"] : [])].flatMap(filterKernels)];
}

/** A row of chunks with more bytes is not read as a whole: it would take that memory twice, per worker. */
const WIDE_BYTES = 32 * 2 ** 20;

/** Times from which a user should know that chunks are decoded again. */
const OFTEN = 4;

/** How often chunks of several frames are decoded. */
function decodesOf(
  layout: FrameLayout<ChunkStorage>,
  { partitionFrames, ...block }: DecodeSize,
): Decodes | undefined {
  const { storage: { chunks }, sigShape } = layout;
  const { frames, chunks: count } = bandOf(chunks, sigShape.length);
  if (frames === 1) return undefined;
  const isKept = cutsOf(layout, block.frames, block.box, 1, block).kept >= count;
  const times = isKept ? 1 : Math.ceil(frames / Math.min(block.frames, partitionFrames));
  const what = `chunks of ${showShape(chunks.chunk)}, which hold samples of ${frames} frames`;
  const advice = "A copy with chunks of few frames is read faster: tilewise convert";
  return {
    times,
    line: `decode     ${what}: each ${times === 1 ? "once by a worker" : `about ${times} times`}`,
    warnings: times < OFTEN
      ? []
      : [`The file has ${what}; each is decoded about ${times} times in this run. ${advice}`],
  };
}

/** Chunks, each with filters of its own. */
export const CHUNKS: StorageKind<ChunkStorage> = {
  ...USUAL,
  inOrder: false,
  buffers: (layout, { frames, box, ...how }) => chunkBuffers(layout, frames, box, 1, how),
  // Two workers with parts of one band would decode the same chunks, and be no faster than one with all of it.
  bands: (layout, _frames, { deep }) => {
    const band = bandOf(layout.storage.chunks, layout.sigShape.length).frames;
    return { band, ...(deep && hasDeepBands(layout) ? { least: 0, enough: 1 } : {}) };
  },
  isDeep: hasDeepBands,
  decodes: decodesOf,
  // No chunk is decoded for two tiles of the same frames: whole rows of chunks, or single chunks of very wide frames.
  baseShape: ({ storage: { chunks }, sigShape }) => {
    if (sigShape.length === 0) return undefined;
    const nav = chunks.chunk.length - sigShape.length;
    const row = gridOfChunks(chunks).slice(nav + 1).reduce((bytes, n) => bytes * n, chunkBytes(chunks));
    return sigShape.map((n, d) => d === 0 || row > WIDE_BYTES ? Math.min(n, chunks.chunk[nav + d]!) : n);
  },
  kernels: ({ storage: { chunks } }) => chunkKernels(chunks),
  whole: () => undefined,
  facts: ({ byteOrder }) => ({ order: "C", words: [`${byteOrder} endian`] }),
};
