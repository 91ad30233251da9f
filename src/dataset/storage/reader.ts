/**
 * Reads blocks of frames of a data set into shared memory, on any thread.
 *
 * Plain samples are read directly to the place where kernels use them, without a copy; encoded frames are decoded
 * afterwards. Files are opened when first needed, and at most 32 are open at a time.
 *
 * @module
 */

import { frameDecoder } from "../../codecs/registry.ts";
import { TilewiseError } from "../../errors.ts";
import { type Box, boxSize, wholeBox } from "../../space/box.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { type FramePart, framePart } from "../layout/frame_part.ts";
import { type FrameLayout, imageCount } from "../layout/layout.ts";
import { OpenFiles } from "../layout/open_files.ts";
import type { Storage } from "../layout/storage.ts";
import type { BlockReader, MakeReader, ReadBlock, ReaderOptions, UndoFilter } from "./common/block_reader.ts";

// The table of readers: the module of a kind is loaded when frames of that kind are first read.

const READERS: {
  readonly [K in Storage["kind"]]: (storage: Extract<Storage, { readonly kind: K }>) => Promise<
    { readonly makeReader: MakeReader<Extract<Storage, { readonly kind: K }>> }
  >;
} = {
  "contiguous": ({ codec }) =>
    codec ? import("./contiguous/encoded_reader.ts") : import("./contiguous/reader.ts"),
  "scan-first": () => import("./scan_first/reader.ts"),
  "chunks": () => import("./chunks/reader.ts"),
  virtual: () => import("./virtual/reader.ts"),
  "sectors": () => import("./sectors/reader.ts"),
  "sparse": () => import("./sparse/reader.ts"),
};

/** What makes readers of the frames of `layout`. */
async function readerOf<S extends Storage>({ storage }: FrameLayout<S>): Promise<MakeReader<S>> {
  const { makeReader } = await READERS[storage.kind](storage as never);
  return makeReader as unknown as MakeReader<S>; // the table has the reader of each tag
}

/** The filters of chunks, whose table is loaded when chunks are filtered. */
async function loadedFilter(name: string): Promise<UndoFilter> {
  return await (await import("../../codecs/filters/registry.ts")).chunkFilter(name);
}

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

/** Options of a {@link FrameReader}; it takes `readerBytes(…)` bytes from the slab. */
export interface FrameReaderOptions extends ReaderOptions {
  /** The largest part of a frame that will be asked for. Default: all of it. */
  readonly box?: Box;
}

/**
 * Reads frames of one data set. Each block takes the place of the one before.
 *
 * @example The second and third of three frames, without their headers
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Slab } from "../../memory/slab.ts";
 * import { frameLayout } from "../layout/layout.ts";
 * import { readerBytes } from "./kinds.ts";
 * const bytes = new Uint8Array([0, 1, 2, 0, 3, 4, 0, 5, 6]);
 * const files = [{ source: { kind: "bytes", name: "scan", bytes }, start: 0, end: 3, headerBytes: 0 }] as const;
 * const layout = frameLayout({ files, sigShape: [2], dtype: "uint8", frameHeaderBytes: 1 });
 * const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
 * const slab = new Slab(memory, 1024, readerBytes(layout, 2));
 * await using reader = await FrameReader.open(layout, { slab, maxFrames: 2 });
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
  readonly #reader: BlockReader;
  readonly #block: { -readonly [K in keyof RawFrames]: RawFrames[K] };

  private constructor(
    layout: FrameLayout,
    maxFrames: number,
    box: Box,
    files: OpenFiles,
    reader: BlockReader,
  ) {
    this.#layout = layout;
    this.#maxFrames = maxFrames;
    this.#images = imageCount(layout);
    this.#whole = box;
    this.#files = files;
    this.#reader = reader;
    const { dtype } = layout;
    this.#block = { pointer: 0, frameStride: 0, count: 0, pixels: 0, dtype, byteOrder: reader.byteOrder };
  }

  /** A reader of the frames that `layout` describes; of files, nothing is opened yet. */
  static async open(layout: FrameLayout, given: FrameReaderOptions): Promise<FrameReader> {
    const options = { decoderOf: frameDecoder, filterOf: loadedFilter, ...given };
    const makeReader = await readerOf(layout);
    const box = options.box ?? wholeBox(layout.sigShape);
    const files = new OpenFiles(layout.files, options.openSource);
    return new FrameReader(
      layout,
      options.maxFrames,
      box,
      files,
      makeReader({ layout, files, box, options }),
    );
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
    const part = framePart(this.#layout, box);
    this.#checkImages(images);
    if (!this.#reader.fits(box, part)) throw this.#tooLarge(part);
    const read = this.#reader.read(images, box, part, signal);
    return read instanceof Promise
      ? read.then((block) => this.#done(block, images.length, part.pixels))
      : this.#done(read, images.length, part.pixels);
  }

  /** Throws `changed` when a file that was read is not what was opened any more; ask after reading, before the samples count. */
  recheck(): void {
    this.#files.recheck();
    this.#reader.recheck?.();
  }

  /** Closes the files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]();
    await this.#reader.close?.();
  }

  #done({ pointer, frameStride }: ReadBlock, count: number, pixels: number): RawFrames {
    const block = this.#block;
    block.pointer = pointer;
    block.frameStride = frameStride;
    block.count = count;
    block.pixels = pixels;
    return block;
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
    const text = `Cannot read ${pixels} pixels per frame: the reader was made for ${
      boxSize(this.#whole)
    }, or for another shape`;
    return new TilewiseError("invalid", text, { expected: boxSize(this.#whole), found: pixels });
  }
}
