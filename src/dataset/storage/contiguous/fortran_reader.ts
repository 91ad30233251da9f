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
 * For each pixel the samples of neighbouring images lie together, so it pays to read many images at a time: the
 * reader keeps a block of about 16 MiB of frames, and serves images that follow each other from it. For the
 * images of a block it fetches the stretch from the first to the last, and whole pixels where the rest is less
 * than 8 KiB. Memory stays bounded; bytes read may be up to 8 KiB a sample when single images of a long scan
 * are wanted.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Slab } from "../../../memory/slab.ts";
import { type Box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf, stridesOf, unravel } from "../../../space/shape.ts";
import { floorPowerOfTwo } from "../../tiling/contiguous_tiling.ts";
import { JOIN_GAP, SCRATCH_BYTES } from "../../layout/frame_part.ts";
import { frameBytes, type FrameLayout, imageCount, type ScanFirst } from "../../layout/layout.ts";
import type { OpenFiles } from "../../layout/open_files.ts";

/** A layout in Fortran order. */
export type FortranLayout = FrameLayout & { readonly order: ScanFirst };

/** Whether the frames of `layout` lie in Fortran order. */
export function isFortran(layout: FrameLayout): layout is FortranLayout {
  return layout.order !== "C";
}

/** Refuses what no format has: headers, codecs or several files in Fortran order. */
export function checkFortran(layout: FortranLayout): void {
  const { files, order, codec, frameHeaderBytes, frameFooterBytes } = layout;
  const plain = !codec && files.length === 1 && frameHeaderBytes === 0 && frameFooterBytes === 0;
  if (plain && sizeOf(order.navShape) === imageCount(layout)) return;
  throw new TilewiseError(
    "unsupported",
    "Cannot read frames in Fortran order: they must be plain samples in one file, one image a position",
  );
}

/** Images that lie near to each other, by their ranks. */
interface Stretch {
  readonly low: number;
  readonly high: number;
  /** Their place in the sorted list: from, and one past the last. */
  readonly from: number;
  readonly to: number;
}

/** Bytes of frames that are read at a time. */
const BLOCK_BYTES = 16 * 2 ** 20;

/** Reads frames in Fortran order into one buffer, dense. */
export class FortranReader {
  readonly #pointer: number;
  readonly #scratch: number;
  readonly #capacity: number;
  readonly #memory: WebAssembly.Memory;
  readonly #itemSize: number;
  readonly #navSize: number;
  readonly #navStrides: readonly number[];

  readonly #images: number;
  /** What the buffer holds: the images `#first` to `#end − 1`, the part `#box` of each. */
  #first = 0;
  #end = 0;
  #box: Box | undefined;

  /** A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. */
  constructor(
    private readonly layout: FortranLayout,
    private readonly files: OpenFiles,
    slab: Slab,
    private readonly maxFrames: number,
    largest: Box,
  ) {
    const [samples, scratch] = FortranReader.buffers(layout, maxFrames, largest);
    this.#itemSize = dtypeInfo(layout.dtype).itemSize;
    this.#capacity = samples;
    this.#pointer = slab.take(samples, "frames");
    this.#scratch = slab.take(scratch, "samples in Fortran order");
    this.#memory = slab.memory;
    this.#navSize = sizeOf(layout.order.navShape);
    this.#navStrides = fortranStrides(layout.order.navShape);
    this.#images = imageCount(layout);
  }

  /** Bytes of the buffers: frames, and what passes through. */
  static buffers(layout: FrameLayout, maxFrames: number, largest: Box): [number, number] {
    const bytes = boxSize(largest) * dtypeInfo(layout.dtype).itemSize;
    const block = Math.min(floorPowerOfTwo(BLOCK_BYTES / bytes), imageCount(layout));
    return [Math.max(maxFrames, block) * bytes, scratchBytes(layout)];
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
    if (images[count - 1]! - first !== count - 1) { // with gaps: nothing but these
      this.#box = undefined;
      await this.#fill(images, box, signal);
      return this.#pointer;
    }
    if (this.#box !== box || first < this.#first || first + count > this.#end) {
      this.#box = undefined; // a failed read leaves no block
      const length = Math.max(1, Math.floor(this.#capacity / Math.max(1, bytes)));
      const aligned = first - first % length;
      this.#first = first + count <= aligned + length ? aligned : first;
      this.#end = Math.min(this.#first + length, this.#images);
      const block = Array.from({ length: this.#end - this.#first }, (_, i) => this.#first + i);
      await this.#fill(block, box, signal);
      this.#box = box;
    }
    return this.#pointer + (first - this.#first) * bytes;
  }

  async #fill(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<void> {
    const ranks = Float64Array.from(images, (image) => this.#rankOf(image));
    const slots = Uint32Array.from(images, (_, i) => i).sort((a, b) => ranks[a]! - ranks[b]!);
    const stretches = this.#stretches(ranks, slots);
    for (const { rank, place, step, rows } of columns(box, this.layout)) {
      for (const stretch of stretches) {
        const each = Math.min(rows, this.#pixelsAtOnce(stretch, stretches.length));
        for (let row = 0; row < rows; row += each) {
          const pixels = Math.min(each, rows - row);
          await this.#fetch(rank + row, pixels, stretch, signal);
          const target = { place: place + row * step, step, pixels, perFrame: boxSize(box) };
          this.#scatter(target, stretch, ranks, slots);
        }
      }
    }
  }

  #rankOf(image: number): number {
    const at = unravel(image, this.layout.order.navShape);
    return at.reduce((rank, c, d) => rank + c * this.#navStrides[d]!, 0);
  }

  /** Cuts the sorted ranks where gaps are long or the scratch buffer would not hold more. */
  #stretches(ranks: Float64Array, slots: Uint32Array): Stretch[] {
    const gap = JOIN_GAP / this.#itemSize;
    const most = scratchBytes(this.layout) / this.#itemSize;
    const found: Stretch[] = [];
    for (let from = 0; from < slots.length;) {
      const low = ranks[slots[from]!]!;
      let [high, to] = [low, from + 1];
      for (; to < slots.length; to++) {
        const rank = ranks[slots[to]!]!;
        if (rank - high > gap || rank - low >= most) break;
        high = rank;
      }
      found.push({ low, high, from, to });
      from = to;
    }
    return found;
  }

  /** How many pixels one read covers: several, when little lies between the stretches of two pixels. */
  #pixelsAtOnce({ low, high }: Stretch, stretches: number): number {
    const width = high - low + 1;
    if (stretches > 1 || (this.#navSize - width) * this.#itemSize > JOIN_GAP) return 1;
    const most = scratchBytes(this.layout) / this.#itemSize;
    return 1 + Math.floor((most - width) / this.#navSize);
  }

  async #fetch(rank: number, pixels: number, { low, high }: Stretch, signal?: AbortSignal): Promise<void> {
    const source = this.files.get(0) ?? await this.files.open(0);
    const first = rank * this.#navSize + low;
    const length = ((pixels - 1) * this.#navSize + high - low + 1) * this.#itemSize;
    const view = new Uint8Array(this.#memory.buffer, this.#scratch, length);
    await source.readInto(view, this.layout.files[0]!.headerBytes + first * this.#itemSize, signal);
  }

  /** Puts the fetched samples into their frames. */
  #scatter(
    { place, step, pixels, perFrame }: { place: number; step: number; pixels: number; perFrame: number },
    { low, from, to }: Stretch,
    ranks: Float64Array,
    slots: Uint32Array,
  ): void {
    const unit = Math.min(this.#itemSize, 4);
    const units = this.#itemSize / unit;
    const words = wordsOf(this.#memory.buffer, unit);
    const [dst, src] = [this.#pointer / unit, this.#scratch / unit];
    for (let k = from; k < to; k++) {
      const slot = slots[k]!;
      let into = dst + (slot * perFrame + place) * units;
      let found = src + (ranks[slot]! - low) * units;
      for (let p = 0; p < pixels; p++, into += step * units, found += this.#navSize * units) {
        for (let u = 0; u < units; u++) words[into + u] = words[found + u]!;
      }
    }
  }
}

/** Bytes of the buffer that samples pass through. */
function scratchBytes(layout: FrameLayout): number {
  return Math.min(4 * SCRATCH_BYTES, imageCount(layout) * frameBytes(layout.sigShape, layout.dtype));
}

function wordsOf(buffer: ArrayBufferLike, unit: number): Uint8Array | Uint16Array | Uint32Array {
  return unit === 1 ? new Uint8Array(buffer) : unit === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

function fortranStrides(shape: Shape): number[] {
  return stridesOf([...shape].reverse()).reverse();
}

/** Pixels of a box that follow each other in the file: those along the dimension that is the fastest there. */
interface Column {
  /** Rank in the file of the first. */
  readonly rank: number;
  /** Row-major place of the first in the box. */
  readonly place: number;
  /** Distance of two of them in the box. */
  readonly step: number;
  /** How many. */
  readonly rows: number;
}

function* columns(
  { origin, shape }: Box,
  { sigShape, order }: Pick<FortranLayout, "sigShape" | "order">,
): Generator<Column> {
  const inFile = order.pixels === "C" ? stridesOf(sigShape) : fortranStrides(sigShape);
  const inBox = stridesOf(shape);
  const fast = order.pixels === "C" ? shape.length - 1 : 0;
  if (shape.length === 0) return yield { rank: 0, place: 0, step: 1, rows: 1 }; // frames of one value
  const outer = shape.with(fast, 1);
  const count = sizeOf(outer);
  for (let c = 0; c < count; c++) {
    const at = unravel(c, outer);
    const rank = at.reduce((sum, x, d) => sum + (x + origin[d]!) * inFile[d]!, 0);
    const place = at.reduce((sum, x, d) => sum + x * inBox[d]!, 0);
    yield { rank, place, step: inBox[fast]!, rows: shape[fast]! };
  }
}
