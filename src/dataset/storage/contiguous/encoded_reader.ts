/**
 * Reads frames that follow each other and are stored with a codec.
 *
 * @module
 */

import type { FrameDecoder } from "../../../codecs/codec.ts";
import { TilewiseError } from "../../../errors.ts";
import type { Slab } from "../../../memory/slab.ts";
import { type FramePart, framePart, wholePart } from "../../layout/frame_part.ts";
import { frameBytes, type FrameLayout } from "../../layout/layout.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import type { MakeReader, ReadBlock, ReaderOptions } from "../common/block_reader.ts";
import { decoderBuffers } from "./decoder_buffers.ts";
import { StoredReader } from "./reader.ts";

// Decodes blocks of stored frames, and shows parts of them.
//
// The last block is kept: tiles that are parts of the same frames are cut from it without reading or decoding again.

/** Reads and decodes one block after another. */
class BlockDecoder {
  readonly #frameBytes: number;
  readonly #whole: FramePart;
  readonly #decoded: number;
  readonly #gathered: number;
  readonly #gatherBytes: number;
  readonly #slab: Slab;
  readonly #last: Float64Array;
  #count = 0;
  #decoder: FrameDecoder | undefined;

  /** Decodes the frames that `stored` reads; `part` is the largest part that will be shown. */
  constructor(
    private readonly layout: FrameLayout<ContiguousStorage>,
    private readonly stored: StoredReader,
    private readonly options: ReaderOptions,
    part: FramePart,
  ) {
    const { slab, maxFrames } = options;
    const [decoded, gathered = 0] = decoderBuffers(layout, maxFrames, part);
    this.#slab = slab;
    this.#whole = wholePart(layout);
    this.#frameBytes = frameBytes(layout.sigShape, layout.dtype);
    this.#decoded = slab.take(decoded!, "decoded frames");
    this.#gathered = gathered > 0 ? slab.take(gathered, "parts of decoded frames") : 0;
    this.#gatherBytes = gathered;
    this.#last = new Float64Array(maxFrames);
  }

  /** Whether blocks of `part` can be shown. */
  fits(part: FramePart): boolean {
    return part.starts.length <= 1 || this.options.maxFrames * part.bytes <= this.#gatherBytes;
  }

  /** Makes `images` the current block. */
  read(images: ArrayLike<number>, signal?: AbortSignal): void | Promise<void> {
    if (this.#isCurrent(images)) return;
    this.#count = 0; // a failed read leaves no block
    if (!this.#decoder) return this.#findDecoder().then(() => this.read(images, signal));
    const waiting = this.stored.read(images, this.#whole, signal);
    return waiting ? waiting.then(() => this.#decode(images)) : this.#decode(images);
  }

  /** Where `part` of the current block lies. */
  show({ starts, runBytes, bytes }: FramePart): ReadBlock {
    if (starts.length === 1) return { pointer: this.#decoded + starts[0]!, frameStride: this.#frameBytes };
    const memory = new Uint8Array(this.#slab.memory.buffer);
    for (let f = 0; f < this.#count; f++) {
      let into = this.#gathered + f * bytes;
      for (const start of starts) {
        const from = this.#decoded + f * this.#frameBytes + start;
        memory.copyWithin(into, from, from + runBytes);
        into += runBytes;
      }
    }
    return { pointer: this.#gathered, frameStride: bytes };
  }

  #isCurrent(images: ArrayLike<number>): boolean {
    if (images.length !== this.#count) return false;
    for (let i = 0; i < images.length; i++) if (images[i] !== this.#last[i]) return false;
    return true;
  }

  async #findDecoder(): Promise<void> {
    const { id } = this.layout.storage.codec!;
    const { decoderOf, kernels } = this.options;
    if (!decoderOf || !kernels) {
      throw new TilewiseError(
        "invalid",
        `Cannot decode "${id}": the reader was made without codecs or kernels`,
      );
    }
    this.#decoder = await decoderOf(id);
  }

  #decode(images: ArrayLike<number>): void {
    const { layout, stored, options } = this;
    this.#decoder!.decode({
      kernels: options.kernels!,
      memory: this.#slab.memory,
      dst: this.#decoded,
      src: stored.block.pointer,
      frames: images.length,
      srcStride: stored.block.frameStride,
      sigShape: layout.sigShape,
      storedBytes: layout.storedBytes,
      params: layout.storage.codec!.params,
    });
    for (let i = 0; i < images.length; i++) this.#last[i] = images[i]!;
    this.#count = images.length;
  }
}

/** A reader of encoded frames. */
export const makeReader: MakeReader<ContiguousStorage> = ({ layout, files, box, options }) => {
  const stored = new StoredReader(layout, files, options, wholePart(layout));
  const decoder = new BlockDecoder(layout, stored, options, framePart(layout, box));
  return {
    byteOrder: "little",
    fits: (_box, part) => decoder.fits(part),
    read: (images, _box, part, signal) => {
      const waiting = decoder.read(images, signal);
      return waiting ? waiting.then(() => decoder.show(part)) : decoder.show(part);
    },
  };
};
