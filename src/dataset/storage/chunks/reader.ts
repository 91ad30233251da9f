/**
 * Reads frames of arrays that are stored in chunks: fetches chunks, decodes them, and copies the wanted parts
 * into dense frames.
 *
 * Decoded chunks are kept, so that a chunk with many frames is decoded once while its frames are read one block
 * after another. When there is no room, the least recently used chunk is dropped.
 *
 * @module
 */

import { throwIfAborted } from "../../../errors.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import { sizeOf } from "../../../space/shape.ts";
import {
  chunkBytes,
  type ChunkGroup,
  type ChunkLayout,
  gridOfChunks,
  groupsOf,
  type Overlap,
  overlapOf,
} from "../../layout/chunks.ts";
import { isFar } from "./batch.ts";
import { type Cuts, cutsOf, type FillChunk, isPlain, TurnedChunks } from "./cuts.ts";
import { FilterChain, type StoredChunks, storedChunks } from "./stored_chunks.ts";
import type { Stored } from "./window.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { ChunkStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { checkBytes, type MakeReader } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { type ChunkTools, chunkTools } from "./tools.ts";

/** Stored bytes after a block that are fetched with it, if each request takes long and blocks follow each other. */
const AHEAD_BYTES = 2 ** 20;

/** A reader of frames in chunks. */
export const makeReader: MakeReader<ChunkStorage> = ({ layout, files, box, options }) => {
  checkBytes(layout);
  const reader = new ChunkReader(layout, files, chunkTools(options), options.maxFrames, box);
  return {
    ...gathered(reader, layout.byteOrder),
    recheck: () => reader.recheck(),
    close: () => reader.close(),
  };
};

/** Reads chunked frames into one buffer, dense. */
export class ChunkReader {
  readonly #cuts: Cuts;
  readonly #frames: number;
  readonly #stored: StoredChunks;
  readonly #isFar: boolean;
  readonly #chain: FilterChain;
  readonly #turned: TurnedChunks | undefined;
  /** Places for decoded chunks that hold none yet. */
  readonly #unused: number[];
  readonly #memory: WebAssembly.Memory;
  readonly #overlaps = new Map<number, Overlap>();
  /** Chunks of a frame. */
  readonly #parts: number;
  #box: Box | undefined;
  /** The current block, and how far it has been read. */
  #groups: readonly ChunkGroup[] = [];
  #group = 0;
  /** The last chunk of the previous block, and whether this block continues there. */
  #last = -2;
  #goesOn = false;
  /** The place of each decoded chunk, the least recently used first. */
  readonly #decoded = new Map<number, number>();

  /**
   * A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. One of `share` that
   * take turns, it fetches less ahead.
   */
  constructor(
    private readonly layout: FrameLayout<ChunkStorage>,
    files: OpenFiles,
    private readonly options: ChunkTools,
    private readonly maxFrames: number,
    largest: Box,
    share: number = 1,
  ) {
    const { slab } = options;
    this.#cuts = cutsOf(layout, maxFrames, largest, share, options);
    this.#memory = slab.memory;
    this.#parts = sizeOf(
      gridOfChunks(layout.storage.chunks).slice(layout.storage.chunks.shape.length - layout.sigShape.length),
    );
    this.#frames = slab.take(this.#cuts.frames, "frames");
    const window = slab.take(this.#cuts.window, "chunks");
    const { chunks } = layout.storage;
    this.#isFar = isFar(layout.files, chunks);
    this.#stored = storedChunks(chunks, files, {
      ...this.#cuts,
      isFar: this.#isFar,
      memory: slab.memory,
      at: window,
    });
    this.#chain = new FilterChain(chunks, (cell) => this.#stored.nameOf(cell), options, this.#cuts);
    if (chunks.order) this.#turned = new TurnedChunks(chunks, chunks.order, options);
    this.#unused = Array.from({ length: this.#cuts.kept }, () => slab.take(this.#cuts.chunk, "chunks"));
  }

  /** Throws `changed` when entries of a store that it has read have changed. */
  recheck(): void {
    this.#stored.recheck();
  }

  /** Closes what it has opened itself. */
  async close(): Promise<void> {
    await this.#stored.close();
  }

  /** Whether blocks of `box` fit. */
  fits(box: Box): boolean {
    return this.maxFrames * boxSize(box) * this.layout.storage.chunks.itemSize <= this.#cuts.frames;
  }

  /**
   * Puts the samples of chunk `cell` into `target`, without keeping them; `next`: chunks that will be asked for after it, in
   * order. At once where the source reads at once.
   */
  decode(
    cell: number,
    target: Uint8Array,
    next: readonly number[],
    signal?: AbortSignal,
  ): void | Promise<void> {
    this.#groups = next.map((cell) => ({ cell, runs: [] }));
    this.#group = -1;
    this.#goesOn = false;
    return this.#fill(cell, target, signal);
  }

  /** Resolves when no read writes to memory any more that {@link decode} has begun. */
  async settled(): Promise<void> {
    await this.#stored.fetcher.settled?.();
  }

  /** Reads the part `box` of `images`; the address of the first. */
  async read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number> {
    const { chunks } = this.layout.storage;
    if (this.#box !== box) this.#overlaps.clear();
    this.#box = box;
    const perFrame = boxSize(box);
    this.#groups = groupsOf(chunks, images, box);
    const first = this.#groups[0]?.cell ?? 0;
    this.#goesOn = perFrame === sizeOf(this.layout.sigShape) && first - this.#last >>> 0 < 2;
    this.#last = this.#groups.reduce((most, { cell }) => Math.max(most, cell), -1);
    try {
      await this.#readGroups(box, perFrame, signal);
    } finally {
      await this.#stored.fetcher.settled?.(); // after that, no read writes to memory
    }
    return this.#frames;
  }

  async #readGroups(box: Box, perFrame: number, signal?: AbortSignal): Promise<void> {
    const { chunks } = this.layout.storage;
    for (this.#group = 0; this.#group < this.#groups.length; this.#group++) {
      throwIfAborted(signal);
      const group = this.#groups[this.#group]!;
      const part = group.cell % this.#parts; // chunks at the same place of their frames share the same samples
      let overlap = this.#overlaps.get(part);
      if (!overlap) this.#overlaps.set(part, overlap = overlapOf(chunks, part, box));
      if (this.#stored.places.isBlank(group.cell) && hasOneFill(chunks)) {
        this.#blank(group, overlap, perFrame);
        continue;
      }
      let from = this.#decoded.get(group.cell);
      if (from === undefined && this.#isAll(group, overlap, perFrame)) {
        const at = this.#frames + group.runs[0]!.slot * perFrame * chunks.itemSize;
        const filling = this.#fill(
          group.cell,
          new Uint8Array(this.#memory.buffer, at, chunkBytes(chunks)),
          signal,
        );
        if (filling) await filling; // one promise per chunk would cost as much as a small chunk
        continue;
      }
      from ??= await this.#decode(group.cell, signal);
      this.#touch(group.cell, from);
      this.#copy(group, overlap, from, perFrame);
    }
  }

  /** Whether a chunk is nothing but frames that follow each other in the block: it can be decoded there. */
  #isAll({ runs: [run, ...others] }: ChunkGroup, { length }: Overlap, perFrame: number): boolean {
    const { itemSize } = this.layout.storage.chunks;
    const { offset, count, slotStep, offsetStep } = run!;
    return others.length === 0 && offset === 0 && length === perFrame &&
      (count === 1 || slotStep === 1 && offsetStep === perFrame) &&
      count * perFrame * itemSize === chunkBytes(this.layout.storage.chunks);
  }

  /** Puts the fill value where a chunk is needed that was never written: one row, and copies of it. */
  #blank(
    { runs: frames }: ChunkGroup,
    { length, runs, steps: [, toStep], to }: Overlap,
    perFrame: number,
  ): void {
    const { itemSize, fill } = this.layout.storage.chunks;
    const copy = this.options.kernels.exports.copy_rows_u8;
    const bytes = length * itemSize;
    for (const { slot, count, slotStep } of frames) {
      for (let i = 0; i < count; i++) {
        for (const first of to) {
          const at = this.#frames + ((slot + i * slotStep) * perFrame + first) * itemSize;
          fillWith(new Uint8Array(this.#memory.buffer, at, bytes), fill);
          copy(at + toStep * itemSize, toStep * itemSize, at, 0, runs - 1, bytes);
        }
      }
    }
  }

  #touch(cell: number, place: number): void {
    this.#decoded.delete(cell);
    this.#decoded.set(cell, place);
  }

  /** Copies what the block needs of a decoded chunk: frame by frame, or row by row where it has more frames than rows. */
  #copy({ runs: frames }: ChunkGroup, overlap: Overlap, chunk: number, perFrame: number): void {
    const { length, runs, steps: [fromStep, toStep], from, to } = overlap;
    const { itemSize } = this.layout.storage.chunks;
    const copy = this.options.kernels.exports.copy_rows_u8;
    for (const { slot, offset, count, slotStep, offsetStep } of frames) {
      const rows = [runs, toStep, fromStep] as const;
      const steps = [count, slotStep * perFrame, offsetStep] as const;
      const [[inner, innerTo, innerFrom], [outer, outerTo, outerFrom]] = count > runs
        ? [steps, rows]
        : [rows, steps];
      for (let g = 0; g < from.length; g++) {
        const target = slot * perFrame + to[g]!, source = offset + from[g]!;
        for (let i = 0; i < outer; i++) {
          copy(
            this.#frames + (target + i * outerTo) * itemSize,
            innerTo * itemSize,
            chunk + (source + i * outerFrom) * itemSize,
            innerFrom * itemSize,
            inner,
            length * itemSize,
          );
        }
      }
    }
  }

  /** Puts chunk `cell` into a place of its own; the address. */
  async #decode(cell: number, signal?: AbortSignal): Promise<number> {
    const place = this.#free();
    try {
      const target = new Uint8Array(this.#memory.buffer, place, chunkBytes(this.layout.storage.chunks));
      const filling = this.#fill(cell, target, signal);
      if (filling) await filling;
    } catch (error) {
      this.#unused.push(place);
      throw error;
    }
    this.#decoded.set(cell, place);
    return place;
  }

  /** Puts the samples of chunk `cell` into `target`. */
  #fill(cell: number, target: Uint8Array, signal?: AbortSignal): void | Promise<void> {
    const wanted = isPlain(this.layout.storage.chunks) ? target : undefined;
    const stored = this.#stored.fetcher.fetch(cell, () => this.#next(), signal, wanted);
    return stored instanceof Promise
      ? stored.then((bytes) => this.#unpack(cell, bytes, target))
      : this.#unpack(cell, stored, target);
  }

  #unpack(cell: number, stored: Stored, target: Uint8Array): void | Promise<void> {
    const fill: FillChunk = (place) =>
      stored ? this.#chain.undo(cell, stored, place) : fillWith(place, this.layout.storage.chunks.fill);
    return this.#turned ? this.#turned.fill(target, fill) : fill(target);
  }

  /** A place for a chunk; if all are taken, that of the least recently used chunk. */
  #free(): number {
    const unused = this.#unused.pop();
    if (unused !== undefined) return unused;
    const [oldest, place] = this.#decoded.entries().next().value!;
    this.#decoded.delete(oldest);
    return place;
  }

  /** Chunks that must be fetched for the rest of the block, and maybe for the blocks after it. */
  *#next(): Generator<number> {
    const { places } = this.#stored;
    const isMissing = (cell: number) => !this.#decoded.has(cell) && !places.isBlank(cell);
    for (let g = this.#group + 1; g < this.#groups.length; g++) {
      const { cell } = this.#groups[g]!;
      if (isMissing(cell)) yield cell;
    }
    if (!this.#goesOn || !this.#isFar) return;
    for (let cell = this.#last + 1, left = AHEAD_BYTES; cell < places.count && left > 0; cell++) {
      if (isMissing(cell)) yield cell;
      left -= Math.max(1, places.has(cell) ? places.size(cell) : places.largest);
    }
  }
}

/** Whether all samples of a chunk that was never written are the same. */
function hasOneFill({ fill, itemSize }: ChunkLayout): boolean {
  return fill === undefined || fill.length === itemSize;
}

/** Repeats the bytes of one sample; zeros if none is given. */
export function fillWith(target: Uint8Array, fill: Uint8Array | undefined): void {
  if (!fill || fill.every((byte) => byte === 0) || target.length === 0) {
    target.fill(0);
    return;
  }
  target.set(fill);
  for (let done = fill.length; done < target.length; done *= 2) target.copyWithin(done, 0, done);
}
