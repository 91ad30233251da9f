/**
 * Reads blocks of frames of a data set into shared memory, on whatever thread it lives.
 *
 * Plain samples land where kernels take them, without a copy; encoded frames are decoded right after. Files are
 * opened when first needed, and at most 32 are open at a time.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type Box, boxSize, wholeBox } from "../../space/box.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { ChunkReader, type FilterOf } from "./chunks/reader.ts";
import { BlockDecoder, type DecoderOptions } from "./contiguous/block_decoder.ts";
import { CsrFrames } from "./sparse/csr_frames.ts";
import { mostEntriesOfAny } from "./sparse/entries.ts";
import { checkFortran, FortranReader, isFortran } from "./contiguous/fortran_reader.ts";
import { type FramePart, framePart, partBytes, wholePart } from "../layout/frame_part.ts";
import { frameBytes, type FrameLayout, imageCount, isChunked, isSectored } from "../layout/layout.ts";
import { OpenFiles, type OpenSource } from "../layout/open_files.ts";
import { HalfSectorReader } from "./sectors/half_reader.ts";
import { SectorReader } from "./sectors/reader.ts";
import { halfSectorOf } from "./sectors/tiling.ts";
import { isPieced, PieceReader } from "./pieces/reader.ts";
import { StoredReader } from "./contiguous/reader.ts";

/** A block of frames, or of one part of them, in memory. */
export interface RawFrames {
  /** Address of the first sample of the first frame. */
  readonly pointer: number;
  /** Bytes from one frame to the next; samples of a frame follow each other. */
  readonly frameStride: number;
  /** Frames in the block. */
  readonly count: number;
  /** Samples of each frame. */
  readonly pixels: number;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** The byte order of samples that a {@link FrameReader} has loaded: what is decoded is little endian. */
export function loadedOrder({ codec, sparse, sectors, byteOrder }: FrameLayout): ByteOrder {
  return codec || sparse || sectors ? "little" : byteOrder;
}

/** What a {@link FrameReader} works with; it takes `FrameReader.bytesFor(…)` bytes from the slab. */
export interface FrameReaderOptions extends DecoderOptions {
  /** The largest part of a frame that will be asked for. Default: all of it. */
  readonly box?: Box;
  /** Sparse data: most entries of the frames that are read at once. Default: of any so many frames. */
  readonly maxEntries?: number;
  /** Opens files. Default: as their description says. */
  readonly openSource?: OpenSource;
  /** Finds filters of chunks; needed for layouts in chunks. */
  readonly filterOf?: FilterOf;
}

/**
 * Reads frames of one data set. Each block takes the place of the one before.
 *
 * @example The second and third of three frames, without their headers
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Slab } from "../../memory/slab.ts";
 * const bytes = new Uint8Array([0, 1, 2, 0, 3, 4, 0, 5, 6]);
 * const layout = {
 *   files: [{ source: { kind: "bytes", name: "scan", bytes }, start: 0, end: 3, headerBytes: 0 }],
 *   sigShape: [2],
 *   dtype: "uint8",
 *   byteOrder: "little",
 *   frameHeaderBytes: 1,
 *   frameFooterBytes: 0,
 *   storedBytes: 2,
 *   order: "C",
 * } as const;
 * const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
 * const slab = new Slab(memory, 1024, FrameReader.bytesFor(layout, 2));
 * await using reader = new FrameReader(layout, { slab, maxFrames: 2 });
 * const { pointer, frameStride } = await reader.load([1, 2]);
 * const samples = new Uint8Array(memory.buffer, pointer);
 * assertEquals([samples[0], samples[1], samples[frameStride], samples[frameStride + 1]], [3, 4, 5, 6]);
 * ```
 */
export class FrameReader implements AsyncDisposable {
  readonly #layout: FrameLayout;
  readonly #maxFrames: number;
  readonly #images: number;
  readonly #whole: Box;
  readonly #files: OpenFiles;
  readonly #stored: StoredReader | undefined;
  readonly #scattered:
    | FortranReader
    | ChunkReader
    | PieceReader
    | CsrFrames
    | SectorReader
    | HalfSectorReader
    | undefined;
  readonly #decoder: BlockDecoder | undefined;
  readonly #parts = new WeakMap<Box, FramePart>();
  readonly #block: { -readonly [K in keyof RawFrames]: RawFrames[K] };

  /** A reader of the frames that `layout` describes; nothing is opened yet. */
  constructor(layout: FrameLayout, options: FrameReaderOptions) {
    const { slab, maxFrames, openSource } = options;
    checkLayout(layout);
    this.#layout = layout;
    this.#maxFrames = maxFrames;
    this.#images = imageCount(layout);
    this.#whole = options.box ?? wholeBox(layout.sigShape);
    this.#files = new OpenFiles(layout.files, openSource);
    if (layout.sparse) this.#scattered = sparseFrames(layout, options, this.#whole);
    else if (isChunked(layout) || isPieced(layout)) {
      const { kernels, filterOf } = options;
      if (!kernels || !filterOf) {
        throw new TilewiseError("invalid", "Cannot read chunks without kernels and filters");
      }
      const work = { slab, kernels, filterOf };
      this.#scattered = isPieced(layout)
        ? new PieceReader(layout, this.#files, work, maxFrames, this.#whole)
        : new ChunkReader(layout, this.#files, work, maxFrames, this.#whole);
    } else if (isSectored(layout)) {
      const { kernels } = options;
      if (!kernels) throw new TilewiseError("invalid", "Cannot read sectors without kernels");
      const Reader = halfSectorOf(this.#whole, layout.sigShape) ? HalfSectorReader : SectorReader;
      this.#scattered = new Reader(layout, this.#files, { slab, kernels }, maxFrames, this.#whole);
    } else if (isFortran(layout)) {
      this.#scattered = new FortranReader(layout, this.#files, slab, maxFrames, this.#whole);
    } else {
      const part = layout.codec ? wholePart(layout) : this.#partOf(this.#whole);
      this.#stored = new StoredReader(layout, this.#files, slab, maxFrames, part);
      if (layout.codec) {
        this.#decoder = new BlockDecoder(layout, this.#stored, options, this.#partOf(this.#whole));
      }
    }
    const byteOrder = loadedOrder(layout);
    this.#block = { pointer: 0, frameStride: 0, count: 0, pixels: 0, dtype: layout.dtype, byteOrder };
  }

  /** Bytes of a slab that a reader with these options takes. */
  static bytesFor(layout: FrameLayout, maxFrames: number, box?: Box, maxEntries?: number): number {
    const whole = box ?? wholeBox(layout.sigShape);
    const part = framePart(layout, whole);
    const buffers = layout.sparse
      ? CsrFrames.buffers(
        layout,
        maxFrames,
        whole,
        maxEntries ?? mostEntriesOfAny(layout.sparse.rows, maxFrames),
      )
      : isChunked(layout)
      ? ChunkReader.buffers(layout, maxFrames, whole)
      : isPieced(layout)
      ? PieceReader.buffers(layout, maxFrames, whole)
      : isSectored(layout)
      ? halfSectorOf(whole, layout.sigShape)
        ? HalfSectorReader.buffers(maxFrames, whole)
        : SectorReader.buffers(layout, maxFrames, whole)
      : isFortran(layout)
      ? FortranReader.buffers(layout, maxFrames, whole)
      : layout.codec
      ? [
        partBytes(layout, wholePart(layout), maxFrames).samples,
        ...BlockDecoder.buffers(layout, maxFrames, part),
      ]
      : Object.values(partBytes(layout, part, maxFrames));
    return buffers.reduce((sum, bytes) => sum + roundUp(bytes, ALIGNMENT), 0);
  }

  /**
   * Reads `images` (ascending), or the part `box` of each. Returns the block at once where the sources read at
   * once and everything is open, else a promise. The block and its bytes are good until the next call, which must
   * wait for this one to end.
   */
  load(
    images: ArrayLike<number>,
    box: Box = this.#whole,
    signal?: AbortSignal,
  ): RawFrames | Promise<RawFrames> {
    const part = this.#partOf(box);
    this.#checkImages(images);
    if (this.#stored && !this.#decoder) {
      if (!this.#stored.fits(part)) throw this.#tooLarge(part);
      const waiting = this.#stored.read(images, part, signal);
      const stride = this.#stored.strideOf(part);
      const { pointer } = this.#stored;
      return waiting
        ? waiting.then(() => this.#done(pointer, stride, images.length, part.pixels))
        : this.#done(pointer, stride, images.length, part.pixels);
    }
    return this.#decoder
      ? this.#decoded(this.#decoder, images, part, signal)
      : this.#gathered(images, box, part, signal);
  }

  /** Throws `changed` when a file that was read is not what was opened any more; ask after reading, before the samples count. */
  recheck(): void {
    this.#files.recheck();
    if (this.#scattered instanceof CsrFrames) this.#scattered.recheck();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]();
    if (this.#scattered instanceof CsrFrames) await this.#scattered.close();
  }

  #decoded(
    decoder: BlockDecoder,
    images: ArrayLike<number>,
    part: FramePart,
    signal: AbortSignal | undefined,
  ): RawFrames | Promise<RawFrames> {
    if (!decoder.fits(part)) throw this.#tooLarge(part);
    const show = () => {
      const { pointer, stride } = decoder.show(part);
      return this.#done(pointer, stride, images.length, part.pixels);
    };
    const waiting = decoder.read(images, signal);
    return waiting ? waiting.then(show) : show();
  }

  async #gathered(
    images: ArrayLike<number>,
    box: Box,
    part: FramePart,
    signal: AbortSignal | undefined,
  ): Promise<RawFrames> {
    const reader = this.#scattered!;
    if (!reader.fits(box)) throw this.#tooLarge(part);
    const pointer = await reader.read(images, box, signal);
    const stride = "strideOf" in reader ? reader.strideOf(part) : part.bytes;
    return this.#done(pointer, stride, images.length, part.pixels);
  }

  #done(pointer: number, frameStride: number, count: number, pixels: number): RawFrames {
    const block = this.#block;
    block.pointer = pointer;
    block.frameStride = frameStride;
    block.count = count;
    block.pixels = pixels;
    return block;
  }

  #partOf(box: Box): FramePart {
    let part = this.#parts.get(box);
    if (!part) this.#parts.set(box, part = framePart(this.#layout, box));
    return part;
  }

  #checkImages(images: ArrayLike<number>): void {
    let before = -1;
    for (let i = 0; i < images.length; i++) {
      const image = images[i]!;
      if (!(image > before && image < this.#images)) throw this.#wrongImage(image, before);
      before = image;
    }
    if (images.length <= this.#maxFrames) return;
    const text = `Cannot read ${images.length} frames at once: the reader was made for ${this.#maxFrames}`;
    throw new TilewiseError("invalid", text, { expected: this.#maxFrames, found: images.length });
  }

  #wrongImage(image: number, before: number): TilewiseError {
    const text = image < this.#images
      ? `Cannot read image ${image} after image ${before}: images must ascend`
      : `Cannot read image ${image}: there are ${this.#images}`;
    return new TilewiseError("invalid", text, { found: image });
  }

  #tooLarge({ pixels }: FramePart): TilewiseError {
    const text = `Cannot read ${pixels} pixels a frame: the reader was made for ${
      boxSize(this.#whole)
    }, or for another shape`;
    return new TilewiseError("invalid", text, { expected: boxSize(this.#whole), found: pixels });
  }
}

function sparseFrames(layout: FrameLayout, options: FrameReaderOptions, box: Box): CsrFrames {
  const { kernels, maxFrames } = options;
  if (!kernels) throw new TilewiseError("invalid", "Cannot read sparse frames without kernels");
  const maxEntries = options.maxEntries ?? mostEntriesOfAny(layout.sparse!.rows, maxFrames);
  return new CsrFrames(layout, { ...options, kernels, maxEntries }, box);
}

function checkLayout(layout: FrameLayout): void {
  if (isFortran(layout)) checkFortran(layout);
  const bytes = frameBytes(layout.sigShape, layout.dtype);
  if (layout.codec || layout.sparse || layout.sectors || layout.storedBytes === bytes) return;
  const text =
    `A layout of plain samples says ${layout.storedBytes} bytes a frame; its samples have ${bytes}`;
  throw new TilewiseError("corrupt", text, { expected: bytes, found: layout.storedBytes });
}
