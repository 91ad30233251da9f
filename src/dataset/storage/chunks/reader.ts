/**
 * Reads frames of arrays that are stored in chunks: fetches chunks, undoes their filters, and puts the parts that
 * are wanted into dense frames.
 *
 * Decoded chunks are kept, so that a chunk with many frames is decoded once while its frames are read one block
 * after another. The longest unused one makes room.
 *
 * @module
 */

import { mostBytes } from "../../../codecs/filters/registry.ts";
import { throwIfAborted, TilewiseError } from "../../../errors.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import { sizeOf, unravel } from "../../../space/shape.ts";
import {
  chunkBytes,
  type ChunkFilterSpec,
  type ChunkGroup,
  gridOfChunks,
  groupsOf,
  isEdge,
  type Overlap,
  overlapOf,
} from "../../layout/chunks.ts";
import { ChunkBatch, isFar } from "./batch.ts";
import { type Cuts, cutsOf } from "./cuts.ts";
import { ChunkWindow } from "./window.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { ChunkStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { checkBytes, type MakeReader, type UndoFilter } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { type ChunkTools, chunkTools } from "./tools.ts";

/** Stored bytes behind a block that are fetched along, where each request takes long and blocks follow each other. */
const AHEAD_BYTES = 2 ** 20;

/** A reader of frames in chunks. */
export const makeReader: MakeReader<ChunkStorage> = ({ layout, files, box, options }) => {
  checkBytes(layout);
  const reader = new ChunkReader(layout, files, chunkTools(options), options.maxFrames, box);
  return gathered(reader, layout.byteOrder);
};

/** Reads chunked frames into one buffer, dense. */
export class ChunkReader {
  readonly #cuts: Cuts;
  readonly #frames: number;
  readonly #window: ChunkWindow | ChunkBatch;
  readonly #passes: readonly number[];
  /** What filters use on their way. */
  readonly #scratch: number;
  /** Places for decoded chunks that hold none yet. */
  readonly #unused: number[];
  readonly #memory: WebAssembly.Memory;
  readonly #filters = new Map<string, UndoFilter>();
  readonly #overlaps = new Map<number, Overlap>();
  /** Chunks of a frame. */
  readonly #parts: number;
  #box: Box | undefined;
  /** What is being read, and how far it has come. */
  #groups: readonly ChunkGroup[] = [];
  #group = 0;
  /** The last chunk of the block before, and whether this block goes on there. */
  #last = -2;
  #goesOn = false;
  /** Where each decoded chunk lies, the longest unused first. */
  readonly #decoded = new Map<number, number>();

  /**
   * A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. One of `share` that
   * take turns, it fetches less ahead.
   */
  constructor(
    private readonly layout: FrameLayout<ChunkStorage>,
    private readonly files: OpenFiles,
    private readonly options: ChunkTools,
    private readonly maxFrames: number,
    largest: Box,
    share: number = 1,
  ) {
    const { slab } = options;
    this.#cuts = cutsOf(layout, maxFrames, largest, share);
    this.#memory = slab.memory;
    this.#parts = sizeOf(
      gridOfChunks(layout.storage.chunks).slice(layout.storage.chunks.shape.length - layout.sigShape.length),
    );
    this.#frames = slab.take(this.#cuts.frames, "frames");
    const window = slab.take(this.#cuts.window, "chunks");
    const Window = isFar(layout.files) ? ChunkBatch : ChunkWindow;
    this.#window = new Window(layout.storage.chunks, files, slab.memory, window, this.#cuts.window);
    this.#passes = Array.from({ length: this.#cuts.passes }, () => slab.take(this.#cuts.stored, "chunks"));
    this.#scratch = slab.take(this.#cuts.scratch, "filters");
    this.#unused = Array.from({ length: this.#cuts.kept }, () => slab.take(this.#cuts.chunk, "chunks"));
  }

  /** Whether blocks of `box` fit. */
  fits(box: Box): boolean {
    return this.maxFrames * boxSize(box) * this.layout.storage.chunks.itemSize <= this.#cuts.frames;
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
      if (this.#window instanceof ChunkBatch) await this.#window.settled(); // nobody writes to memory after that
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
      let from = this.#decoded.get(group.cell);
      if (from === undefined && this.#isAll(group, overlap, perFrame)) {
        const at = this.#frames + group.slots[0]! * perFrame * chunks.itemSize;
        const filling = this.#fill(
          group.cell,
          new Uint8Array(this.#memory.buffer, at, chunkBytes(chunks)),
          signal,
        );
        if (filling) await filling; // a promise a chunk costs as much as a small chunk
        continue;
      }
      from ??= await this.#decode(group.cell, signal);
      this.#touch(group.cell, from);
      this.#copy(group, overlap, from, perFrame);
    }
  }

  /** Whether a chunk is nothing but frames that follow each other in the block: it can be decoded there. */
  #isAll({ slots, offsets }: ChunkGroup, { length, from }: Overlap, perFrame: number): boolean {
    return from.length === 1 && length === perFrame &&
      slots.length * perFrame * this.layout.storage.chunks.itemSize ===
        chunkBytes(this.layout.storage.chunks) &&
      slots.at(-1)! - slots[0]! === slots.length - 1 && offsets.every((offset, i) => offset === i * perFrame);
  }

  #touch(cell: number, place: number): void {
    this.#decoded.delete(cell);
    this.#decoded.set(cell, place);
  }

  #copy({ slots, offsets }: ChunkGroup, overlap: Overlap, chunk: number, perFrame: number): void {
    const { length, from, to, steps } = overlap;
    const { itemSize } = this.layout.storage.chunks;
    const copy = this.options.kernels.exports.copy_rows_u8;
    const bytes = length * itemSize;
    for (let i = 0; i < slots.length; i++) {
      const source = chunk + offsets[i]! * itemSize;
      const target = this.#frames + slots[i]! * perFrame * itemSize;
      const run = (r: number, rows: number, [fromStep, toStep]: readonly [number, number]) =>
        copy(
          target + to[r]! * itemSize,
          toStep * itemSize,
          source + from[r]! * itemSize,
          fromStep * itemSize,
          rows,
          bytes,
        );
      if (steps) run(0, from.length, steps);
      else for (let r = 0; r < from.length; r++) run(r, 1, [0, 0]);
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
    const { chunks } = this.layout.storage;
    if (chunks.addresses[cell]! < 0) return fillWith(target, chunks.fill);
    const stored = this.#window.fetch(cell, this.#next(), signal);
    return stored instanceof Uint8Array
      ? this.#undo(cell, stored, target)
      : stored.then((bytes) => this.#undo(cell, bytes, target));
  }

  /** A place for a chunk; that of the longest unused one where all are taken. */
  #free(): number {
    const unused = this.#unused.pop();
    if (unused !== undefined) return unused;
    const [oldest, place] = this.#decoded.entries().next().value!;
    this.#decoded.delete(oldest);
    return place;
  }

  /** Undoes the filters of a stored chunk, last applied first; the last one writes to `target`. */
  #undo(cell: number, stored: Uint8Array, target: Uint8Array): void | Promise<void> {
    const { chunks } = this.layout.storage;
    const isPlain = chunks.plainEdges && isEdge(chunks, cell);
    const active = chunks.filters.filter((_, f) => !isPlain && !(chunks.masks[cell]! >> f & 1)).reverse();
    if (active.length === 0 && stored.length === target.length) return target.set(stored);
    const most = mostBytes(stored.length, active.map(({ name }) => name));
    if (most < target.length) throw this.#wrong(cell, `at most ${most}`); // before memory is touched for it
    return this.#steps(cell, active, 0, stored, target);
  }

  /** Undoes the filters from number `step` on; goes on at once after those that need not wait. */
  #steps(
    cell: number,
    active: readonly ChunkFilterSpec[],
    step: number,
    input: Uint8Array,
    target: Uint8Array,
  ): void | Promise<void> {
    if (step === active.length) {
      if (input.length !== target.length) throw this.#wrong(cell, input.length);
      return;
    }
    const { name, values } = active[step]!;
    const undo = this.#filters.get(name);
    if (!undo) return this.#filter(name).then(() => this.#steps(cell, active, step, input, target));
    const next = this.#pass(step); // not the one that is read
    const [output, spare] = step === active.length - 1 ? [target, next] : [next, this.#pass(step + 1)];
    const { kernels } = this.options;
    const goOn = (written: number) =>
      this.#steps(cell, active, step + 1, output.subarray(0, written), target);
    const located = (error: unknown) => this.#located(cell, error);
    let written: number | Promise<number>;
    try {
      written = undo({ kernels, input, output, values, scratch: this.#scratch, spare });
    } catch (error) {
      throw located(error);
    }
    if (typeof written === "number") return goOn(written);
    return written.then(goOn, (error) => {
      throw located(error);
    });
  }

  /** Chunks that have to be fetched for the rest of the block, and maybe for the blocks behind it. */
  *#next(): Generator<number> {
    const { addresses, sizes } = this.layout.storage.chunks;
    const isMissing = (cell: number) => addresses[cell]! >= 0 && !this.#decoded.has(cell);
    for (let g = this.#group + 1; g < this.#groups.length; g++) {
      const { cell } = this.#groups[g]!;
      if (isMissing(cell)) yield cell;
    }
    if (!this.#goesOn || this.#window instanceof ChunkWindow) return;
    for (let cell = this.#last + 1, left = AHEAD_BYTES; cell < addresses.length && left > 0; cell++) {
      if (isMissing(cell)) yield cell;
      left -= Math.max(1, sizes[cell]!);
    }
  }

  #pass(which: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#passes[which % this.#passes.length]!, this.#cuts.stored);
  }

  async #filter(name: string): Promise<UndoFilter> {
    const filter = await this.options.filterOf(name);
    this.#filters.set(name, filter);
    return filter;
  }

  /** The error of a filter, which now says which chunk it was. */
  #located(cell: number, error: unknown): unknown {
    if (!(error instanceof TilewiseError)) return error;
    const { name, offset, at } = this.#where(cell);
    const text = `Cannot read ${name}: chunk ${at} at byte ${offset}: ${error.message}`;
    return new TilewiseError(error.code, text, { ...error.details, file: name, offset }, { cause: error });
  }

  #wrong(cell: number, found: number | string): TilewiseError {
    const { name, offset, at } = this.#where(cell);
    const expected = chunkBytes(this.layout.storage.chunks);
    const text = `Cannot read ${name}: chunk ${at} at byte ${offset} gives ${found} bytes, not ${expected}`;
    return new TilewiseError("malformed", text, { file: name, offset, expected, found });
  }

  #where(cell: number): { name: string; offset: number; at: string } {
    const { chunks } = this.layout.storage;
    const name = this.files.get(chunks.files?.[cell] ?? 0)?.name ?? "the data set";
    const at = `(${unravel(cell, gridOfChunks(chunks)).join(", ")})`;
    return { name, offset: chunks.addresses[cell]!, at };
  }
}

/** Repeats the bytes of one sample; zeros where there is none. */
export function fillWith(target: Uint8Array, fill: Uint8Array | undefined): void {
  target.fill(0);
  if (!fill || fill.every((byte) => byte === 0)) return;
  for (let at = 0; at < target.length; at += fill.length) target.set(fill, at);
}
