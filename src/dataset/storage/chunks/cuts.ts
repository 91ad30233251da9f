/**
 * How the memory of a reader of chunks is divided: frames, fetched bytes, bytes between filters, chunks that are kept.
 *
 * @module
 */

import { scratchBytes, spareBytes } from "../../../codecs/filters/registry.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import type { Shape } from "../../../space/shape.ts";
import { bandOf, chunkBytes, type ChunkLayout } from "../../layout/chunks.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { ChunkStorage } from "../../layout/storage.ts";
import type { UndoFilter } from "../common/block_reader.ts";
import type { BlockSize } from "../common/kind.ts";
import { batchBytes, isFar } from "./batch.ts";
import { lanesOf } from "./keyed.ts";
import type { ChunkTools } from "./tools.ts";
import { DIRECT_BYTES, storedFacts, windowBytes } from "./window.ts";

// Chunks that store the dimensions of their array in another order: each is decoded to a place of its own, and transposed
// from there.

/** Fills a place with a chunk as it is stored, without its filters. */
export type FillChunk = (place: Uint8Array) => void | Promise<void>;

/** Bytes of the place that chunks of `layout` are transposed from. */
function turnedBytes(layout: ChunkLayout): number {
  return layout.order ? chunkBytes(layout) : 0;
}

/** Puts the dimensions of chunks into the order of their array. */
export class TurnedChunks {
  readonly #place: Uint8Array;
  readonly #values: readonly number[];
  #transpose: UndoFilter | undefined;

  /** Takes its memory from the slab of `tools`. */
  constructor(layout: ChunkLayout, order: readonly number[], private readonly tools: ChunkTools) {
    const { slab } = tools;
    const bytes = turnedBytes(layout);
    this.#place = new Uint8Array(slab.memory.buffer, slab.take(bytes, "chunks"), bytes);
    this.#values = [layout.itemSize, order.length, ...order.map((d) => layout.chunk[d]!), ...order];
  }

  /** Puts the chunk that `fill` gives into `target`. */
  async fill(target: Uint8Array, fill: FillChunk): Promise<void> {
    this.#transpose ??= await this.tools.filterOf("transpose");
    await fill(this.#place);
    const { kernels } = this.tools;
    const [input, values] = [this.#place, this.#values];
    await this.#transpose({ kernels, input, output: target, values, scratch: 0, spare: input });
  }
}

/** Bytes of decoded chunks that are kept, unless those of one block are more. */
const KEPT_BYTES = 16 * 2 ** 20;
/** Bytes of decoded chunks that are kept if this avoids decoding any chunk twice. */
const BAND_BYTES = 64 * 2 ** 20;
/** Most decoded chunks that are kept. Of tiny ones fewer: keeping them costs more than decoding them again. */
const mostKept = (chunk: number) => chunk < 1024 ? 1024 : 16384;

/** Whether chunks hold samples of so many frames that those which share frames are more than is usually kept. */
export function hasDeepBands({ storage: { chunks }, sigShape }: FrameLayout<ChunkStorage>): boolean {
  const { frames, chunks: count } = bandOf(chunks, sigShape.length);
  return frames > 1 && count * chunkBytes(chunks) > KEPT_BYTES;
}

/** How the memory of a reader is cut. */
export interface Cuts {
  /** Bytes of a block of frames. */
  readonly frames: number;
  /** Bytes of the window for fetched bytes. */
  readonly window: number;
  /** Bytes of one chunk with its filters, between two filters. */
  readonly stored: number;
  /** Places for bytes between filters, which are used in turn: none for one filter, which reads what was fetched. */
  readonly passes: number;
  /** Bytes for what filters need between their own steps. */
  readonly spare: number;
  /** Scratch bytes of the filters. */
  readonly scratch: number;
  /** Bytes of the place that chunks are transposed from; 0 where their dimensions are in the order of the array. */
  readonly turned: number;
  /** Bytes of one chunk without them. */
  readonly chunk: number;
  /** Decoded chunks that are kept. */
  readonly kept: number;
}

/** What decides which decoded chunks are kept. */
export type KeepOptions = Pick<BlockSize, "inOrder" | "lean">;

/** The cuts of a reader of up to `maxFrames` frames of `largest`, one of `share` that are used in turn. */
export function cutsOf(
  { storage: { chunks }, sigShape, files }: FrameLayout<ChunkStorage>,
  maxFrames: number,
  largest: Box,
  share: number,
  { inOrder = false, lean = false }: KeepOptions = {},
): Cuts {
  const chunk = chunkBytes(chunks);
  const facts = storedFacts(chunks);
  // a chunk that its filters could not compress is slightly larger than without them
  const stored = Math.max(chunk, facts.largest, chunks.most ?? 0) + 1024;
  const { perFrame, perRow } = chunksIn(chunks, sigShape, largest, inOrder);
  // chunks of one frame each are needed again only for the part below
  const again = bandOf(chunks, sigShape.length).frames === 1 ? perRow : perFrame;
  const wanted = Math.max(again, Math.floor(KEPT_BYTES / Math.max(1, chunk)));
  const most = Math.max(1, isIndexed(chunks) ? writtenOf(chunks) : facts.count);
  const block = Math.max(1, Math.min(wanted, perFrame * maxFrames + (inOrder ? 0 : perFrame)));
  const band = inOrder || arePieces(chunks, sigShape, maxFrames, largest)
    ? 0
    : bandOf(chunks, sigShape.length).chunks;
  const kept = Math.min(most, mostKept(chunk), band * chunk <= BAND_BYTES ? Math.max(block, band) : block);
  const frames = maxFrames * boxSize(largest) * chunks.itemSize;
  const passes = Math.max(0, Math.min(2, chunks.filters.length - 1));
  const window = windowOf(chunks, isFar(files, chunks), stored, share);
  const scratch = scratchBytes(chunks.filters, stored);
  return {
    frames,
    window,
    stored,
    passes,
    spare: spareBytes(chunks.filters, stored),
    scratch,
    turned: turnedBytes(chunks),
    chunk,
    kept: maxFrames === 0 ? 0 : lean ? 1 : kept,
  };
}

/** Whether chunks are stored as they are: the bytes that are fetched are the samples. */
export function isPlain({ filters, order }: ChunkLayout): boolean {
  return filters.length === 0 && !order;
}

/** Bytes for fetched bytes: none where all chunks are read to where their samples belong. */
function windowOf(chunks: ChunkLayout, far: boolean, stored: number, share: number): number {
  const { keyed, shards } = chunks;
  const facts = storedFacts(chunks);
  if (keyed && !shards) {
    return isPlain(chunks) && keyed.store.kind === "folder" ? 0 : stored * lanesOf(keyed, stored);
  }
  if (far) return batchBytes(facts, stored, share);
  if (!isIndexed(chunks)) return windowBytes(facts, stored);
  return isPlain(chunks) && areWhole(chunks) ? 0 : windowBytes(facts, facts.largest);
}

/** Whether all chunks that were written are large, and have the bytes of their samples. */
function areWhole(chunks: ChunkLayout): boolean {
  const { addresses, sizes } = chunks, bytes = chunkBytes(chunks);
  return bytes >= DIRECT_BYTES && addresses.every((address, cell) => address < 0 || sizes[cell] === bytes);
}

/** Chunks that were written; the others are never decoded. */
function writtenOf({ addresses }: ChunkLayout): number {
  return addresses.reduce((count, address) => address < 0 ? count : count + 1, 0);
}

/** Whether blocks are whole chunks, and less than frames: then no other block needs them. */
function arePieces(chunks: ChunkLayout, sigShape: Shape, maxFrames: number, { origin, shape }: Box): boolean {
  const { frames } = bandOf(chunks, sigShape.length), chunk = chunks.chunk.slice(-shape.length);
  const isLess = shape.some((n, d) => (d > 0 || frames > 1) && n < sigShape[d]!);
  return isLess && maxFrames % frames === 0 &&
    shape.every((n, d) => n === sigShape[d] || n % chunk[d]! === 0 && origin[d]! % chunk[d]! === 0);
}

/** Whether the sizes of all stored chunks are known. */
function isIndexed({ keyed, shards }: ChunkLayout): boolean {
  return !keyed && !shards;
}

/** Most chunks that a part `shape` of a frame touches, and those of them beside each other; `aligned`: parts begin with chunks. */
function chunksIn(
  { shape: all, chunk }: ChunkLayout,
  sigShape: Shape,
  { shape }: Box,
  aligned: boolean,
): { readonly perFrame: number; readonly perRow: number } {
  const nav = all.length - sigShape.length;
  const along = shape.map((size, d) => {
    const step = chunk[nav + d]!;
    const most = aligned ? Math.ceil(size / step) : Math.ceil(Math.max(0, size - 1) / step) + 1;
    return Math.min(Math.ceil(sigShape[d]! / step), most);
  });
  const perFrame = along.reduce((product, count) => product * count, 1);
  return { perFrame, perRow: along.length === 0 ? 1 : perFrame / Math.max(1, along[0]!) };
}

/** Bytes of the buffers of such a reader, one entry each. */
export function chunkBuffers(
  layout: FrameLayout<ChunkStorage>,
  maxFrames: number,
  largest: Box,
  share: number = 1,
  options: KeepOptions = {},
): number[] {
  const { frames, window, stored, passes, spare, scratch, turned, chunk, kept } = cutsOf(
    layout,
    maxFrames,
    largest,
    share,
    options,
  );
  const each = (bytes: number, count: number) => Array.from({ length: count }, () => bytes);
  return [
    frames,
    window,
    ...each(stored, passes),
    spare,
    scratch,
    ...each(turned, turned > 0 ? 1 : 0),
    ...each(chunk, kept),
  ];
}
