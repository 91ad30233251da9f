/**
 * Reads frames that are put together from boxes of other arrays (virtual data sets): a stack of many files, modules of a detector, every
 * other frame. Each source is an array in chunks; what no source covers has the fill value.
 *
 * @module
 */

import { type Box, box, boxSize } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf, stridesOf, unravel } from "../../../space/shape.ts";
import { ChunkReader, fillWith } from "../chunks/reader.ts";
import { type ChunkTools, chunkTools } from "../chunks/tools.ts";
import { checkBytes, type MakeReader } from "../common/block_reader.ts";
import { gathered, type Gathering } from "../common/gathered.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { VirtualSource, VirtualStorage } from "../../layout/storage.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { chunksOfSource, largestOfSource, partOfRow, unrolled } from "./parts.ts";

/** The overlap of a part of a frame and a source. */
interface Share {
  /** In the frames of the source. */
  readonly source: Box;
  /** In samples: the start of each row in the block that was read, and in the part. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly length: number;
}

/** A reader of virtual frames. */
export const makeReader: MakeReader<VirtualStorage> = ({ layout, files, box, options }) => {
  checkBytes(layout);
  const tools = chunkTools(options);
  const reader = layout.storage.byRow
    ? byRow(new VirtualReader(unrolled(layout), files, tools, box.shape[0]!, partOfRow(box)), box.shape[0]!)
    : new VirtualReader(layout, files, tools, options.maxFrames, box);
  return gathered(reader, layout.byteOrder);
};

/** A reader of one image from one of its rows. */
function byRow(reader: VirtualReader, most: number): Gathering {
  return {
    fits: (part) => part.shape[0]! <= most && reader.fits(partOfRow(part)),
    read: (_images, part, signal) => {
      const rows = Float64Array.from({ length: part.shape[0]! }, (_, i) => part.origin[0]! + i);
      return reader.read(rows, partOfRow(part), signal);
    },
  };
}

/** Reads virtual frames into one buffer, dense. */
class VirtualReader {
  readonly #frames: number;
  readonly #readers: readonly ChunkReader[];
  readonly #shares = new WeakMap<Box, (Share | undefined)[]>();
  readonly #itemSize: number;

  /** A reader of up to `maxFrames` frames of `largest` or smaller parts; takes its memory from `slab`. */
  constructor(
    private readonly layout: FrameLayout<VirtualStorage>,
    files: OpenFiles,
    private readonly options: ChunkTools,
    private readonly maxFrames: number,
    private readonly largest: Box,
  ) {
    this.#itemSize = dtypeInfo(layout.dtype).itemSize;
    this.#frames = options.slab.take(maxFrames * boxSize(largest) * this.#itemSize, "frames");
    this.#readers = layout.storage.parts.map((source) =>
      new ChunkReader(
        chunksOfSource(layout, source),
        files,
        options,
        maxFrames,
        largestOfSource(source, largest),
        layout.storage.parts.length,
      )
    );
  }

  /** Whether blocks of `part` fit. */
  fits(part: Box): boolean {
    return boxSize(part) <= boxSize(this.largest) &&
      part.shape.every((size, d) => size <= this.largest.shape[d]!);
  }

  /** Reads the part `part` of `images`; the address of the first. */
  async read(images: ArrayLike<number>, part: Box, signal?: AbortSignal): Promise<number> {
    const { parts, complete, fill } = this.layout.storage;
    const perFrame = boxSize(part) * this.#itemSize;
    if (!complete) {
      const bytes = images.length * perFrame;
      fillWith(new Uint8Array(this.options.slab.memory.buffer, this.#frames, bytes), fill);
    }
    for (const [p, source] of parts.entries()) {
      const share = this.#sharesOf(part)[p];
      if (!share) continue;
      const slots: number[] = [], wanted: number[] = [];
      for (let slot = 0; slot < images.length; slot++) {
        const image = source.images[images[slot]! - (source.first ?? 0)] ?? -1;
        if (image < 0) continue;
        slots.push(slot);
        wanted.push(image);
      }
      if (slots.length > 0) {
        const read = await this.#readers[p]!.read(wanted, share.source, signal);
        this.#copy(share, read, slots, perFrame);
      }
    }
    return this.#frames;
  }

  #copy({ source, from, to, length }: Share, read: number, slots: readonly number[], perFrame: number): void {
    const copy = this.options.kernels.exports.copy_rows_u8;
    const size = this.#itemSize;
    const perRead = boxSize(source) * size;
    const [fromStep, toStep] = [(from[1] ?? 0) * size, ((to[1] ?? 0) - to[0]!) * size];
    const isEven = from.every((start, r) => start * size === r * fromStep) &&
      to.every((start, r) => (start - to[0]!) * size === r * toStep);
    for (const [i, slot] of slots.entries()) {
      const source = read + i * perRead, target = this.#frames + slot * perFrame;
      if (isEven) {
        copy(target + to[0]! * size, toStep, source, fromStep, from.length, length * size);
      } else {
        for (let r = 0; r < from.length; r++) {
          copy(target + to[r]! * size, 0, source + from[r]! * size, 0, 1, length * size);
        }
      }
    }
  }

  #sharesOf(part: Box): (Share | undefined)[] {
    let shares = this.#shares.get(part);
    if (!shares) {
      shares = this.layout.storage.parts.map((source) => shareOf(source, part));
      this.#shares.set(part, shares);
    }
    return shares;
  }
}

function shareOf({ at, from, shape }: VirtualSource, part: Box): Share | undefined {
  const low = at.map((first, d) => Math.max(first, part.origin[d]!));
  const size = at.map((first, d) => Math.min(first + shape[d]!, part.origin[d]! + part.shape[d]!) - low[d]!);
  if (size.some((n) => n <= 0)) return undefined;
  const source = box(low.map((first, d) => from[d]! + first - at[d]!), size);
  const rows = size.slice(0, -1);
  const [inSource, inPart] = [stridesOf(size), stridesOf(part.shape)];
  const start = low.reduce((sum, first, d) => sum + (first - part.origin[d]!) * inPart[d]!, 0);
  const places = Array.from({ length: sizeOf(rows) }, (_, row) => unravel(row, rows));
  const along = (strides: readonly number[], first: number) =>
    places.map((place) => place.reduce((sum, x, d) => sum + x * strides[d]!, first));
  return { source, from: along(inSource, 0), to: along(inPart, start), length: size.at(-1) ?? 1 };
}
