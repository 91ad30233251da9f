/**
 * Reads frames that follow each other: plain samples directly into memory, encoded frames with a codec.
 *
 * @module
 */

import type { ByteOrder } from "../../../space/dtype.ts";
import { type FramePart, framePart, wholePart } from "../../layout/frame_part.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import {
  type BlockReader,
  checkBytes,
  type MakeReader,
  type ReadBlock,
  type ReaderInit,
} from "../common/block_reader.ts";
import { BlockDecoder } from "./block_decoder.ts";
import { StoredReader } from "./stored_reader.ts";

/** A reader of frames that follow each other. */
export const makeReader: MakeReader<ContiguousStorage> = (job) =>
  job.layout.storage.codec ? decoded(job) : new PlainReader(job);

/** Shows stored samples as they are. The block object is reused, as there are many small blocks. */
class PlainReader implements BlockReader {
  readonly byteOrder: ByteOrder;
  readonly #stored: StoredReader;
  readonly #block: { -readonly [K in keyof ReadBlock]: ReadBlock[K] };

  constructor({ layout, files, box, options: { slab, maxFrames } }: ReaderInit<ContiguousStorage>) {
    checkBytes(layout);
    this.byteOrder = layout.byteOrder;
    this.#stored = new StoredReader(layout, files, slab, maxFrames, framePart(layout, box));
    this.#block = { pointer: this.#stored.pointer, frameStride: 0 };
  }

  fits(_box: unknown, part: FramePart): boolean {
    return this.#stored.fits(part);
  }

  read(
    images: ArrayLike<number>,
    _box: unknown,
    part: FramePart,
    signal?: AbortSignal,
  ): ReadBlock | Promise<ReadBlock> {
    this.#block.frameStride = this.#stored.strideOf(part);
    const waiting = this.#stored.read(images, part, signal);
    return waiting ? waiting.then(() => this.#block) : this.#block;
  }
}

function decoded({ layout, files, box, options }: ReaderInit<ContiguousStorage>): BlockReader {
  const { slab, maxFrames } = options;
  const stored = new StoredReader(layout, files, slab, maxFrames, wholePart(layout));
  const decoder = new BlockDecoder(layout, stored, options, framePart(layout, box));
  return {
    byteOrder: "little",
    fits: (_box, part) => decoder.fits(part),
    read: (images, _box, part, signal) => {
      const waiting = decoder.read(images, signal);
      return waiting ? waiting.then(() => decoder.show(part)) : decoder.show(part);
    },
  };
}
