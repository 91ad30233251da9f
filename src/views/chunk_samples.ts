/**
 * Samples of views from arrays in chunks: every chunk that a view touches is decoded once, by the worker that needs it
 * first, and copied to the view from there, without a frame in between.
 *
 * @module
 */

import { chunkFilter } from "../codecs/filters/registry.ts";
import { chunkBytes, gridOfChunks } from "../dataset/layout/chunks.ts";
import { OpenFiles } from "../dataset/layout/open_files.ts";
import { ChunkReader } from "../dataset/storage/chunks/reader.ts";
import { throwIfAborted, TilewiseError } from "../errors.ts";
import { copierWithin } from "../kernels/copiers.ts";
import { type CopyRows, copyView } from "../memory/copy_box.ts";
import { denseStrides, stridedView } from "../memory/strided.ts";
import { box } from "../space/box.ts";
import { ravel, type Shape, sizeOf, unravel } from "../space/shape.ts";
import type { AxisRun } from "./geometry.ts";
import type { ChunkedArray } from "./chunk_plan.ts";
import { ChunkStore, type ChunkUses, type HeldChunk } from "./chunks/store.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";

/** The part of one chunk that a box shows, per dimension. */
interface ChunkPart {
  /** Number of the chunk. */
  readonly cell: number;
  /** In how many views it is. */
  readonly uses: number;
  /** The first sample in the chunk. */
  readonly from: Shape;
  /** The first sample in the view; of a run that goes backwards, the place of the first in the chunk. */
  readonly to: Shape;
  readonly counts: Shape;
}

/** Reads the samples of views from chunks. */
export class ChunkSamples implements SampleReader {
  readonly #grid: Shape;
  readonly #strides: Shape;
  readonly #copyRows: CopyRows;

  private constructor(
    private readonly array: ChunkedArray,
    private readonly memory: WebAssembly.Memory,
    private readonly store: ChunkStore,
    private readonly files: OpenFiles,
    private readonly reader: ChunkReader,
    /** A place for a chunk for which the store has none. */
    private readonly spare: number,
    private readonly uses: ChunkUses | undefined,
    { kernels }: SampleReaderOptions,
  ) {
    const { chunks } = array.layout.storage;
    this.#grid = gridOfChunks(chunks);
    this.#strides = denseStrides(chunks.chunk, array.dtype);
    this.#copyRows = copierWithin(kernels);
  }

  /** A reader of the samples of `array`; decoded chunks are in the store of `options`. */
  static open(array: ChunkedArray, options: SampleReaderOptions): ChunkSamples {
    const { kernels, slab, chunks: place } = options;
    if (!slab || !place) throw new TilewiseError("invalid", "Cannot decode chunks without memory for them");
    const { layout } = array;
    const files = new OpenFiles(layout.files);
    const whole = box(layout.sigShape.map(() => 0), layout.sigShape);
    const reader = new ChunkReader(layout, files, { slab, kernels, filterOf: chunkFilter }, 0, whole);
    const spare = slab.take(chunkBytes(layout.storage.chunks), "a chunk");
    const store = new ChunkStore(kernels.memory, place);
    return new ChunkSamples(array, kernels.memory, store, files, reader, spare, place.uses, options);
  }

  /** Reads the chunks in the order of the file; those that another worker is loading come last. */
  async read(runs: readonly AxisRun[], pointer: number, signal?: AbortSignal, shape?: Shape): Promise<void> {
    const strides = denseStrides(shape!, this.array.dtype);
    try {
      await this.#readParts(this.#partsOf(runs), runs, { pointer, strides }, signal);
    } finally {
      await this.reader.settled();
    }
  }

  async #readParts(
    parts: readonly ChunkPart[],
    runs: readonly AxisRun[],
    view: ViewPlace,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const cells = parts.map(({ cell }) => cell);
    const late: number[] = [];
    for (const [n, part] of parts.entries()) {
      throwIfAborted(signal);
      const held = this.store.take(part.cell, false, part.uses);
      if (held === "busy") late.push(n);
      else await this.#show(part, held, cells.slice(n + 1), runs, view, signal);
    }
    for (const n of late) {
      const held = this.store.take(cells[n]!, true, parts[n]!.uses);
      const chunk = held === "busy" ? "none" : held;
      await this.#show(parts[n]!, chunk, [], runs, view, signal);
    }
  }

  /** Checks that the files have not changed. */
  recheck(): void {
    this.files.recheck();
    this.reader.recheck();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.files[Symbol.asyncDispose]();
    await this.reader.close();
  }

  /** Copies what the view shows of a chunk, after decoding it if it is not there. */
  async #show(
    part: ChunkPart,
    held: HeldChunk | "none",
    next: readonly number[],
    runs: readonly AxisRun[],
    view: ViewPlace,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { cell } = part;
    if (held === "none") {
      await this.#decode(cell, this.spare, next, signal);
      return this.#copy(part, this.spare, runs, view);
    }
    if (held.fill) {
      try {
        await this.#decode(cell, held.pointer, next, signal);
      } catch (error) {
        this.store.failed(held);
        throw error;
      }
      this.store.loaded(held);
    }
    this.#copy(part, held.pointer, runs, view);
    this.store.release(held);
  }

  async #decode(
    cell: number,
    pointer: number,
    next: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const bytes = chunkBytes(this.array.layout.storage.chunks);
    const filling = this.reader.decode(
      cell,
      new Uint8Array(this.memory.buffer, pointer, bytes),
      next,
      signal,
    );
    if (filling) await filling;
  }

  #copy({ from, to, counts }: ChunkPart, chunk: number, runs: readonly AxisRun[], view: ViewPlace): void {
    const { dtype } = this.array;
    const { buffer } = this.memory;
    const first = (at: Shape, strides: Shape) => at.reduce((sum, n, d) => sum + n * strides[d]!, 0);
    const steps = view.strides.map((stride, d) => runs[d]!.step === -1 ? -stride : stride);
    copyView(
      stridedView(buffer, chunk + first(from, this.#strides), dtype, counts, this.#strides),
      stridedView(buffer, view.pointer + first(to, view.strides), dtype, counts, steps),
      this.#copyRows,
    );
  }

  /** The chunks under a box of the array, in the order of the grid. */
  #partsOf(runs: readonly AxisRun[]): ChunkPart[] {
    const { chunk } = this.array.layout.storage.chunks;
    const axes = runs.map((run, d) => [...cellsOf(run, chunk[d]!)]);
    const counts = axes.map(({ length }) => length);
    return Array.from({ length: sizeOf(counts) }, (_, flat) => {
      const cells = unravel(flat, counts).map((i, d) => axes[d]![i]!);
      return {
        cell: ravel(cells.map(({ cell }) => cell), this.#grid),
        uses: this.uses ? cells.reduce((n, { cell }, d) => n * this.uses![d]![cell]!, 1) : Infinity,
        from: cells.map(({ from }) => from),
        to: cells.map(({ to }) => to),
        counts: cells.map(({ count }) => count),
      };
    });
  }
}

/** Where a view is. */
interface ViewPlace {
  readonly pointer: number;
  readonly strides: Shape;
}

/** The samples of a run that lie in one chunk, chunk by chunk. */
function* cellsOf(
  { at, from, step, count }: AxisRun,
  chunk: number,
): Generator<{ cell: number; from: number; to: number; count: number }> {
  const low = step === -1 ? from - count + 1 : from;
  for (let start = low; start < low + count;) {
    const cell = Math.floor(start / chunk);
    const stop = Math.min(low + count, (cell + 1) * chunk);
    const to = step === -1 ? at + from - start : at + start - from;
    yield { cell, from: start - cell * chunk, to, count: stop - start };
    start = stop;
  }
}
