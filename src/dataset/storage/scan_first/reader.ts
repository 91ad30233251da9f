/**
 * Reads frames of arrays in Fortran order, where the samples of one frame lie apart.
 *
 * ```
 * sample (nav, sig) lies at   navF + N · sigF        N positions of the scan, F: Fortran rank of nav or sig,
 *                                                    of sig also the row-major rank
 *
 * file     |..ab....|..ab....|..ab....|              one | | a pixel; a, b: two images
 * memory   a a a  b b b                              scattered to dense frames
 * ```
 *
 * For each pixel the samples of neighbouring images lie together, so it pays to read many images at a time. Tiles of
 * `tiling.ts` have a few rows of all images of a partition. Of whole frames the reader keeps a block of about
 * 16 MiB, and serves images that follow each other from it. For the images of a block it fetches the group from the
 * first to the last, and whole pixels where the rest is less than 8 KiB. Memory stays bounded; bytes read may be up to
 * 8 KiB per sample when single images of a long scan are wanted.
 *
 * Several columns of pixels are fetched before they are moved to their frames, so that samples are written in runs:
 *
 * ```
 * scratch  |..ab....|..ab....| .        rows of the first column         fetched with one read
 *          |..ab....|..ab....| .        rows of the next column          one line further
 *             └─ transposed: down the lines are the samples that follow each other in frame a
 * ```
 *
 * @module
 */

import type { Slab } from "../../../memory/slab.ts";
import { TilewiseError } from "../../../errors.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { JOIN_GAP } from "../../layout/frame_part.ts";
import { type FrameLayout, imageCount } from "../../layout/layout.ts";
import type { ScanFirstStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { checkBytes, type MakeReader } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { CACHE_LINE, scanFirstBuffers, WANTED_LINES } from "./buffers.ts";
import { type Column, columnsOf, type ImageGroup, imageGroups, Transposer } from "./order.ts";

/** Pixels that are fetched and moved together: some of each line. */
interface Batch {
  /** Rank in the file of the first pixel of each line. */
  readonly ranks: readonly number[];
  /** Pixels of a line, which follow each other in the file. */
  readonly pixels: number;
  /** Row-major place in the box of the first pixel of the first line; those of the next line follow. */
  readonly place: number;
  /** Distance in the box of two pixels of a line. */
  readonly step: number;
}

/** A reader of frames in Fortran order. */
export const makeReader: MakeReader<ScanFirstStorage> = ({ layout, files, box, options }) => {
  check(layout);
  const reader = new ScanFirstReader(layout, files, options.slab, options.maxFrames, box);
  return gathered(reader, layout.byteOrder);
};

/** Reads frames in Fortran order into one buffer, dense. */
class ScanFirstReader {
  readonly #pointer: number;
  readonly #scratch: number;
  readonly #scratchBytes: number;
  readonly #capacity: number;
  readonly #memory: WebAssembly.Memory;
  readonly #itemSize: number;
  readonly #navSize: number;
  readonly #images: number;
  readonly #isWhole: boolean;
  readonly #transposer: Transposer;
  readonly #columns = new WeakMap<Box, readonly Column[]>();
  /** What the buffer holds: the images `#first` to `#end − 1`, the part `#box` of each. */
  #first = 0;
  #end = 0;
  #box: Box | undefined;
  /** The groups of the images `#from` to `#to − 1`. */
  #from = 0;
  #to = 0;
  #groups: readonly ImageGroup[] = [];

  /** A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. */
  constructor(
    private readonly layout: FrameLayout<ScanFirstStorage>,
    private readonly files: OpenFiles,
    slab: Slab,
    private readonly maxFrames: number,
    largest: Box,
  ) {
    const [samples, scratch] = scanFirstBuffers(layout, maxFrames, largest);
    this.#itemSize = dtypeInfo(layout.dtype).itemSize;
    this.#capacity = samples;
    this.#pointer = slab.take(samples, "frames");
    this.#scratch = slab.take(scratch, "samples in Fortran order");
    this.#scratchBytes = scratch;
    this.#memory = slab.memory;
    this.#navSize = sizeOf(layout.storage.navShape);
    this.#images = imageCount(layout);
    this.#isWhole = boxSize(largest) === sizeOf(layout.sigShape);
    this.#transposer = new Transposer(slab.memory.buffer, this.#itemSize);
  }

  /** Whether blocks of `box` fit. */
  fits(box: Box): boolean {
    return this.maxFrames * boxSize(box) * this.#itemSize <= this.#capacity;
  }

  /** Reads the part `box` of `images`, which ascend; the address of the first. */
  async read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number> {
    const count = images.length;
    if (count === 0) return this.#pointer;
    const first = images[0]!;
    const bytes = boxSize(box) * this.#itemSize;
    if (images[count - 1]! - first !== count - 1) { // with gaps: only these images
      this.#box = undefined;
      const limits = this.#limits();
      await this.#fill(imageGroups(images, this.layout.storage.navShape, limits), box, signal);
      return this.#pointer;
    }
    if (this.#box !== box || first < this.#first || first + count > this.#end) {
      this.#box = undefined; // a failed read leaves no block
      [this.#first, this.#end] = this.#blockOf(first, count, bytes);
      await this.#fill(this.#groupsBetween(this.#first, this.#end), box, signal);
      this.#box = box;
    }
    return this.#pointer + (first - this.#first) * bytes;
  }

  /** The images to read: for whole frames as many as there is room for, for parts only the requested ones. */
  #blockOf(first: number, count: number, bytes: number): [first: number, end: number] {
    if (!this.#isWhole) return [first, first + count];
    const length = Math.max(1, Math.floor(this.#capacity / Math.max(1, bytes)));
    const aligned = first - first % length;
    const from = first + count <= aligned + length ? aligned : first;
    return [from, Math.min(from + length, this.#images)];
  }

  /** As part after part of the same images is read, they are put in order once. */
  #groupsBetween(from: number, to: number): readonly ImageGroup[] {
    if (from === this.#from && to === this.#to) return this.#groups;
    const images = Array.from({ length: to - from }, (_, i) => from + i);
    [this.#from, this.#to] = [from, to];
    return this.#groups = imageGroups(images, this.layout.storage.navShape, this.#limits());
  }

  #limits(): { gap: number; most: number } {
    return { gap: JOIN_GAP / this.#itemSize, most: this.#scratchBytes / this.#itemSize };
  }

  async #fill(groups: readonly ImageGroup[], box: Box, signal?: AbortSignal): Promise<void> {
    const perFrame = boxSize(box) * this.#itemSize;
    for (const group of groups) {
      for (const batch of this.#batches(box, group, groups.length === 1)) {
        const lineStride = this.#lineStride(batch.pixels, group);
        for (const [line, rank] of batch.ranks.entries()) {
          const waiting = this.#fetch(this.#scratch + line * lineStride, rank, batch.pixels, group, signal);
          if (waiting) await waiting;
        }
        this.#move(batch, group, lineStride, perFrame);
      }
    }
  }

  /** Cuts the columns of `box` to what the buffer holds. */
  *#batches(box: Box, group: ImageGroup, isOnly: boolean): Generator<Batch> {
    const columns = this.#columnsOf(box);
    const { step } = columns[0] ?? { step: 1 };
    const joined = isOnly && (this.#navSize - widthOf(group)) * this.#itemSize <= JOIN_GAP;
    const wanted = step === 1 ? 1 : Math.min(columns.length, WANTED_LINES);
    const most = joined ? this.#pixelsOfLine(group, wanted) : 1;
    const lines = joined && step === 1 ? 1 : this.#linesOf(most, group);
    if (step === 1) {
      for (const column of columns) yield* alongColumn(column, most, lines);
    } else {
      for (const near of neighbours(columns, lines)) yield* acrossColumns(near, most);
    }
  }

  /** Pixels per read, if the buffer should have room for a given number of lines. */
  #pixelsOfLine(group: ImageGroup, lines: number): number {
    const samples = (this.#scratchBytes / lines - 2 * CACHE_LINE) / this.#itemSize - widthOf(group);
    return 1 + Math.max(0, Math.floor(samples / this.#navSize));
  }

  /** How many lines fit into the buffer. */
  #linesOf(pixels: number, group: ImageGroup): number {
    return Math.max(1, Math.floor(this.#scratchBytes / this.#lineStride(pixels, group)));
  }

  #lineStride(pixels: number, group: ImageGroup): number {
    const bytes = ((pixels - 1) * this.#navSize + widthOf(group)) * this.#itemSize;
    return (Math.ceil(bytes / CACHE_LINE) | 1) * CACHE_LINE;
  }

  #columnsOf(box: Box): readonly Column[] {
    let columns = this.#columns.get(box);
    if (!columns) this.#columns.set(box, columns = columnsOf(box, this.layout.sigShape, this.layout.storage));
    return columns;
  }

  #fetch(
    into: number,
    rank: number,
    pixels: number,
    group: ImageGroup,
    signal?: AbortSignal,
  ): void | Promise<void> {
    const source = this.files.get(0);
    if (!source) {
      return this.files.open(0).then(() => this.#fetch(into, rank, pixels, group, signal));
    }
    const first = rank * this.#navSize + group.low;
    const length = ((pixels - 1) * this.#navSize + widthOf(group)) * this.#itemSize;
    const view = new Uint8Array(this.#memory.buffer, into, length);
    return source.readInto(view, this.layout.files[0]!.headerBytes + first * this.#itemSize, signal);
  }

  /** Puts the fetched samples into their frames. */
  #move(
    { ranks, pixels, place, step }: Batch,
    group: ImageGroup,
    lineStride: number,
    perFrame: number,
  ): void {
    const size = this.#itemSize;
    const pixelStride = this.#navSize * size;
    const alongLine = ranks.length === 1 && step === 1;
    for (let row = 0; row < (alongLine ? 1 : pixels); row++) {
      for (const run of group.runs) {
        this.#transposer.move({
          src: this.#scratch + row * pixelStride + (run.rank - group.low) * size,
          srcStride: alongLine ? pixelStride : lineStride,
          dst: this.#pointer + run.slot * perFrame + (place + row * step) * size,
          dstStride: run.step * perFrame,
          pixels: alongLine ? pixels : ranks.length,
          images: run.count,
        });
      }
    }
  }
}

/** Batches of pixels that follow each other in the file and in frames. */
function* alongColumn({ rank, place, rows }: Column, pixels: number, lines: number): Generator<Batch> {
  const each = pixels * lines; // one of both is 1
  for (let row = 0; row < rows; row += each) {
    const count = Math.min(each, rows - row);
    const ranks = Array.from({ length: lines === 1 ? 1 : count }, (_, i) => rank + row + i);
    yield { ranks, pixels: lines === 1 ? count : 1, place: place + row, step: 1 };
  }
}

/** Batches of columns that lie side by side. */
function* acrossColumns(columns: readonly Column[], pixels: number): Generator<Batch> {
  const { place, step, rows } = columns[0]!;
  for (let row = 0; row < rows; row += pixels) {
    const ranks = columns.map(({ rank }) => rank + row);
    yield { ranks, pixels: Math.min(pixels, rows - row), place: place + row * step, step };
  }
}

/** Up to `most` columns that follow each other in a box. */
function* neighbours(columns: readonly Column[], most: number): Generator<readonly Column[]> {
  for (let from = 0; from < columns.length;) {
    let to = from + 1;
    while (to < columns.length && to - from < most && columns[to]!.place === columns[to - 1]!.place + 1) to++;
    yield columns.slice(from, to);
    from = to;
  }
}

function widthOf({ low, high }: ImageGroup): number {
  return high - low + 1;
}

/** Refuses layouts that no format has: headers, or several files in Fortran order. */
function check(layout: FrameLayout<ScanFirstStorage>): void {
  const { files, storage, frameHeaderBytes, frameFooterBytes } = layout;
  checkBytes(layout);
  const plain = files.length === 1 && frameHeaderBytes === 0 && frameFooterBytes === 0;
  if (plain && sizeOf(storage.navShape) === imageCount(layout)) return;
  throw new TilewiseError(
    "unsupported",
    "Cannot read frames in Fortran order: they must be plain samples in one file, one image a position",
  );
}
