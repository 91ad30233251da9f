/**
 * Reads rows of a sparse matrix, one per frame, into shared memory.
 *
 * ```
 * rows      0    3 3      7        images 0 and 2: entries 0 to 2 and 3 to 6, in one read, as nothing lies between
 * indices   ███  ████
 * data      ███  ████
 * ```
 *
 * The result is always in canonical form: columns are i32 and ascend within a frame, each at most once. Entries with
 * the same place are added up.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../../errors.ts";
import type { ByteSource, SourceSpec } from "../../../io/source/source.ts";
import { type Kernels, swapSamples } from "../../../kernels/bind.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Slab } from "../../../memory/slab.ts";
import { type DType, dtypeInfo, isExact, type TypedArray, typedArray } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { type FrameLayout, isStoredAs } from "../../layout/layout.ts";
import { OpenFiles, type OpenSource } from "../../layout/open_files.ts";
import type { SparseStorage } from "../../layout/storage.ts";
import { csrBuffers } from "./entries.ts";

// Brings rows of a sparse matrix whose columns do not ascend into canonical form: sorted, and entries with the same
// place added up. Few files need it.

/** Rewrites `block` in place. A sum that the type of the samples cannot hold is an error. */
function canonicalRows(
  buffer: ArrayBufferLike,
  { indptr: pointer, indices: columns, data: samples, frames }: CsrBlock,
  dtype: DType,
  source: SourceSpec,
  images: readonly number[],
): void {
  const indptr = new Int32Array(buffer as ArrayBuffer, pointer, frames + 1);
  const indices = new Int32Array(buffer as ArrayBuffer, columns, indptr[frames]);
  const data = typedArray(dtype, buffer, samples, indptr[frames]!);
  let next = 0;
  for (let f = 0, from = 0; f < frames; f++) {
    const to = indptr[f + 1]!;
    const first = next;
    const row = indices.slice(from, to);
    const values = data.slice(from, to);
    for (const e of sortedOrder(row)) {
      if (next > first && indices[next - 1] === row[e]) {
        add(data, next - 1, values[e]!, dtype, source, images[f]!);
      } else {
        indices[next] = row[e]!;
        data[next++] = values[e]!;
      }
    }
    from = to;
    indptr[f + 1] = next;
  }
}

/** Numbers of the entries of a row by column; those with the same column stay in their order. */
function sortedOrder(row: Int32Array): Iterable<number> {
  const keys = Float64Array.from(row, (column, e) => column * row.length + e).sort();
  return keys.map((key) => key % row.length);
}

function add(
  data: TypedArray,
  at: number,
  value: number | bigint,
  dtype: DType,
  source: SourceSpec,
  image: number,
): void {
  const sum = typeof value === "bigint" ? data[at] as bigint + value : Number(data[at]) + value;
  data[at] = dtype === "bool" ? Math.min(1, Number(sum)) : sum;
  if (dtype === "bool" || !isExact(dtype) || data[at] === sum) return;
  const file = source.kind === "file" ? source.path : source.kind === "http" ? source.url : source.name;
  const text = `entries of image ${image} with the same place add up to ${sum}, which is more ` +
    `than ${dtype} holds`;
  throw cannot("read", file, "malformed", text, { found: String(sum) });
}

/** Options of a {@link CsrReader}. */
export interface CsrReaderOptions {
  /** Where its buffers come from; it takes `csrBytes(…)`. */
  readonly slab: Slab;
  /** The kernels over the memory of the slab. */
  readonly kernels: Kernels;
  /** Most frames of a block. */
  readonly maxFrames: number;
  /** Most entries of a block. */
  readonly maxEntries: number;
  /** Opens files. Default: by their description. */
  readonly openSource?: OpenSource;
}

/** A reader of the rows of `layout`; refused where it has none. */
export function openRows(layout: FrameLayout, options: CsrReaderOptions): CsrReader {
  if (isStoredAs(layout, "sparse")) return new CsrReader(layout, options);
  const found = layout.storage.kind;
  throw new TilewiseError("invalid", `Cannot read sparse rows of frames that are stored as ${found}`, {
    found,
  });
}

/** Reads one block after another; each overwrites the block before, and the last one is kept. */
export class CsrReader implements AsyncDisposable {
  readonly #sparse: SparseStorage;
  readonly #files: OpenFiles;
  readonly #places: readonly number[];
  readonly #memory: Uint8Array;
  #images: readonly number[] = [];
  #block: CsrBlock | undefined;

  /** A reader of the rows that `layout` describes; nothing is opened yet. */
  constructor(
    private readonly layout: FrameLayout<SparseStorage>,
    private readonly options: CsrReaderOptions,
  ) {
    const { slab, maxFrames, maxEntries, openSource } = options;
    this.#sparse = layout.storage;
    const span = { start: 0, end: 0, headerBytes: 0 };
    this.#files = new OpenFiles([{ ...span, source: this.#sparse.indices }, layout.files[0]!], openSource);
    this.#places = csrBuffers(layout, maxFrames, maxEntries).map((bytes) => slab.take(bytes, "entries"));
    this.#memory = new Uint8Array(slab.memory.buffer);
  }

  /** Reads `images`, which ascend. The block is valid until the next call, which must wait for this one to end. */
  async read(images: readonly number[], signal?: AbortSignal): Promise<CsrBlock> {
    if (
      this.#block && images.length === this.#images.length && images.every((n, i) => n === this.#images[i])
    ) {
      return this.#block;
    }
    this.#block = undefined; // a failed read leaves no block
    const pointers = this.#pointers(images);
    const [indices, data] = [await this.#files.open(0), await this.#files.open(1)];
    const reads = [...this.#ranges(images)].flatMap(({ from, to, at }) => [
      this.#fill(indices, 2, this.#sparse.indexDType, from, to, at, signal),
      this.#fill(data, 1, this.layout.dtype, from, to, at, signal),
    ]);
    const failed = (await Promise.allSettled(reads)).find((read) => read.status === "rejected");
    if (failed) throw failed.reason;
    swapSamples(this.options.kernels, this.layout, this.#places[1]!, pointers.at(-1)!);
    const block = this.#checked(images, pointers, indices.name);
    this.#images = images;
    return this.#block = block;
  }

  /** Throws `changed` when a file that was read has changed since it was opened. */
  recheck(): void {
    this.#files.recheck();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]();
  }

  /** Row pointers of a block: where the entries of each image go. */
  #pointers(images: readonly number[]): number[] {
    const { rows } = this.#sparse;
    const pointers = [0];
    for (const image of images) pointers.push(pointers.at(-1)! + rows[image + 1]! - rows[image]!);
    const { maxFrames, maxEntries } = this.options;
    if (images.length <= maxFrames && pointers.at(-1)! <= maxEntries) return pointers;
    const found = `${images.length} frames with ${pointers.at(-1)} entries`;
    const text = `Cannot read ${found} at once: the reader was made for ${maxFrames} with ${maxEntries}`;
    throw new TilewiseError("invalid", text, { expected: maxEntries, found: pointers.at(-1)! });
  }

  /** Ranges of entries that follow each other in the files, and their place in the block. */
  *#ranges(images: readonly number[]): Generator<{ from: number; to: number; at: number }> {
    const { rows } = this.#sparse;
    for (let i = 0, at = 0; i < images.length;) {
      const from = rows[images[i]!]!;
      let to = from;
      while (i < images.length && rows[images[i]!] === to) to = rows[images[i++]! + 1]!;
      if (to > from) yield { from, to, at };
      at += to - from;
    }
  }

  async #fill(
    source: ByteSource,
    place: number,
    dtype: DType,
    from: number,
    to: number,
    at: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { itemSize } = dtypeInfo(dtype);
    const start = this.#places[place]! + at * itemSize;
    await source.readInto(
      this.#memory.subarray(start, start + (to - from) * itemSize),
      from * itemSize,
      signal,
    );
  }

  /** The block in canonical form, or an error that says what is wrong with it. */
  #checked(images: readonly number[], pointers: readonly number[], file: string): CsrBlock {
    const { kernels, slab } = this.options;
    const { indexDType, indexByteOrder, rows } = this.#sparse;
    const [indptr, data, stored, own] = this.#places as [number, number, number, number?];
    const indices = own ?? stored;
    const faults = indptr + 4 * pointers.length;
    const ints = new Int32Array(slab.memory.buffer, indptr, pointers.length + 2);
    ints.set([...pointers, 0, 0]);
    const pixels = sizeOf(this.layout.sigShape);
    const take = kernel(kernels, "csr_rows", indexDType, indexByteOrder);
    take(indices, stored, indptr, images.length, pixels, faults);
    const outside = ints[pointers.length]!;
    if (outside > 0) {
      const frame = pointers.findLastIndex((first) => first < outside);
      const entry = rows[images[frame]!]! + outside - 1 - pointers[frame]!;
      const text = `Cannot read ${file}: entry ${entry} of image ${images[frame]} is outside of a frame of ` +
        `${pixels} pixels; columns go from 0 to ${pixels - 1}`;
      const offset = entry * dtypeInfo(indexDType).itemSize;
      throw new TilewiseError("malformed", text, { file, offset, expected: pixels - 1 });
    }
    const block = { indptr, indices, data, frames: images.length };
    if (ints[pointers.length + 1]! > 0) {
      canonicalRows(slab.memory.buffer, block, this.layout.dtype, this.layout.files[0]!.source, images);
    }
    return block;
  }
}

/** Frames in memory as rows of a sparse matrix: addresses for kernels. */
export interface CsrBlock {
  /** Row pointers: `frames + 1` i32, the first is 0. */
  readonly indptr: number;
  /** Columns: i32. */
  readonly indices: number;
  /** Samples: type of the data set, little endian. */
  readonly data: number;
  /** Number of frames. */
  readonly frames: number;
}
