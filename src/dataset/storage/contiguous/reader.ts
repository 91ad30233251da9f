/**
 * Reads frames that follow each other and are plain samples: directly into memory, or shown where they lie.
 *
 * @module
 */

import type { ByteSource } from "../../../io/source/source.ts";
import { fileOf, type FramePart, framePart, JOIN_GAP, partBytes } from "../../layout/frame_part.ts";
import { type FileSpan, type FrameLayout, framePitch } from "../../layout/layout.ts";
import type { OpenFiles } from "../../layout/open_files.ts";
import { Pending } from "../../layout/pending.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import {
  checkBytes,
  type MakeReader,
  type ReadBlock,
  type ReaderOptions,
  type ShowsFrames,
} from "../common/block_reader.ts";

// Reads the stored bytes of frames, or of one part of them, directly into shared memory.
//
// ```
// file    H ████ F H ████ F H ████ F H ████ F        images 3 4 5 and 9, header H, footer F
//           └──────── one read ───┘         └──
// memory    ████ F H ████ F H ████ . . ████          frame i at i · stride
// ```
//
// Images that follow each other in a file are one read, together with the headers and footers between them. Bytes
// between images that do not follow each other are never read. Parts with holes go through a small buffer.
//
// Where files can be mapped, images that follow each other are not read: the block is where they lie.

/** Reads stored frames into one buffer, which every read reuses. */
export class StoredReader {
  /** Where the frames of the last read lie. The object is reused, as there are many small blocks. */
  readonly block: ReadBlock;
  readonly #block: { -readonly [K in keyof ReadBlock]: ReadBlock[K] };
  readonly #buffer: number;
  readonly #shown: ShowsFrames | undefined;
  readonly #maxFrames: number;
  readonly #capacity: number;
  readonly #scratch: number;
  readonly #scratchBytes: number;
  readonly #memory: Uint8Array;
  readonly #pitch: number;
  readonly #views: Uint8Array[] = [];

  /** A reader of up to so many frames of `part`, or of smaller parts. */
  constructor(
    private readonly layout: FrameLayout<ContiguousStorage>,
    private readonly files: OpenFiles,
    { slab, maxFrames, shown }: ReaderOptions,
    part: FramePart,
  ) {
    const { samples, scratch } = partBytes(layout, part, maxFrames);
    this.#capacity = samples;
    this.#scratchBytes = scratch;
    this.#buffer = slab.take(samples, "frames");
    this.#scratch = scratch > 0 ? slab.take(scratch, "parts of frames") : 0;
    this.#memory = new Uint8Array(slab.memory.buffer);
    this.#pitch = framePitch(layout);
    this.#maxFrames = maxFrames;
    this.#shown = shown;
    this.block = this.#block = { pointer: this.#buffer, frameStride: 0 };
  }

  /** Whether `maxFrames` frames of `part` fit. */
  fits(part: FramePart): boolean {
    return this.#maxFrames * part.bytes <= this.#capacity;
  }

  /** Bytes from one frame in the buffer to the next. */
  #strideOf(part: FramePart): number {
    return this.#isJoined(part) ? this.#pitch : part.bytes;
  }

  /** Reads `part` of `images`, which ascend. Synchronous if the sources are. */
  read(images: ArrayLike<number>, part: FramePart, signal?: AbortSignal): void | Promise<void> {
    this.#block.pointer = this.#buffer;
    this.#block.frameStride = this.#strideOf(part);
    return this.#from(0, images, part, signal);
  }

  /** Reads the images of the list from index `at` on, file by file: opening a file may close another one. */
  #from(
    at: number,
    images: ArrayLike<number>,
    part: FramePart,
    signal: AbortSignal | undefined,
  ): void | Promise<void> {
    while (at < images.length) {
      const number = fileOf(this.layout.files, images[at]!);
      const file = this.layout.files[number]!;
      const from = at;
      const to = endInFile(images, from, file);
      const source = this.files.get(number);
      const waiting = source
        ? this.#group(source, file, images, from, to, part, signal)
        : this.files.open(number).then((opened) => this.#group(opened, file, images, from, to, part, signal));
      if (waiting) return waiting.then(() => this.#from(to, images, part, signal));
      at = to;
    }
  }

  /** Reads the images of the list with indices `from` to `to − 1`, which lie in one file. */
  #group(
    source: ByteSource,
    file: FileSpan,
    images: ArrayLike<number>,
    from: number,
    to: number,
    part: FramePart,
    signal: AbortSignal | undefined,
  ): void | Promise<void> {
    const at = this.#position(file, images[from]!) + part.starts[0]!;
    if (to - from === images.length && this.#shown?.show(source, at, images, part, this.#block)) return;
    if (part.gather && part.runBytes <= this.#scratchBytes) {
      return this.#gather(source, file, images, from, to, part, signal);
    }
    const pending = new Pending();
    try {
      for (let i = from; i < to;) {
        const next = this.#isJoined(part) ? endOfRun(images, i, to) : i + 1;
        const at = this.#position(file, images[i]!);
        const length = (next - 1 - i) * this.#pitch + part.runBytes;
        for (let r = 0; r < part.starts.length; r++) {
          const into = this.#buffer + i * this.#strideOf(part) + r * part.runBytes;
          const view = this.#view(i * part.starts.length + r, into, length);
          pending.add(source.readInto(view, at + part.starts[r]!, signal));
        }
        i = next;
      }
    } catch (error) {
      pending.fail(error);
    }
    return pending.settled();
  }

  /** Reads parts with holes: several runs at a time into the scratch buffer, then copies them to their places. */
  async #gather(
    source: ByteSource,
    file: FileSpan,
    images: ArrayLike<number>,
    from: number,
    to: number,
    part: FramePart,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { starts, runBytes, bytes } = part;
    for (let i = from; i < to; i++) {
      const at = this.#position(file, images[i]!);
      for (let r = 0; r < starts.length;) {
        const next = this.#endOfSpan(part, r);
        const length = starts[next - 1]! + runBytes - starts[r]!;
        const view = this.#memory.subarray(this.#scratch, this.#scratch + length);
        const waiting = source.readInto(view, at + starts[r]!, signal);
        if (waiting) await waiting;
        for (const first = starts[r]!; r < next; r++) {
          const found = this.#scratch + starts[r]! - first;
          this.#memory.copyWithin(this.#buffer + i * bytes + r * runBytes, found, found + runBytes);
        }
      }
    }
  }

  /** One past the last run that is read together with run `r`. */
  #endOfSpan({ starts, runBytes }: FramePart, r: number): number {
    let next = r + 1;
    while (
      next < starts.length && starts[next]! - starts[next - 1]! - runBytes <= JOIN_GAP &&
      starts[next]! + runBytes - starts[r]! <= this.#scratchBytes
    ) next++;
    return next;
  }

  /** Whether frames are joined: a part may be small enough for that although the part that this reader was made for is not. */
  #isJoined(part: FramePart): boolean {
    return part.joined && this.#maxFrames * this.#pitch <= this.#capacity;
  }

  #position({ headerBytes, start }: FileSpan, image: number): number {
    return headerBytes + (image - start) * this.#pitch + this.layout.frameHeaderBytes;
  }

  /** A cached view: most reads have the same target as an earlier one. */
  #view(slot: number, pointer: number, length: number): Uint8Array {
    const found = this.#views[slot];
    if (found && found.byteOffset === pointer && found.byteLength === length) return found;
    const view = this.#memory.subarray(pointer, pointer + length);
    if (slot < MOST_VIEWS) this.#views[slot] = view;
    return view;
  }
}

/** Most views in the cache. */
const MOST_VIEWS = 1024;

function endInFile(images: ArrayLike<number>, from: number, { end }: FileSpan): number {
  if (images[images.length - 1]! < end) return images.length;
  let to = from + 1;
  while (images[to]! < end) to++;
  return to;
}

function endOfRun(images: ArrayLike<number>, from: number, to: number): number {
  let end = from + 1;
  while (end < to && images[end]! === images[end - 1]! + 1) end++;
  return end;
}

/** A reader of plain frames. */
export const makeReader: MakeReader<ContiguousStorage> = ({ layout, files, box, options }) => {
  checkBytes(layout);
  const stored = new StoredReader(layout, files, options, framePart(layout, box));
  return {
    byteOrder: layout.byteOrder,
    fits: (_box, part) => stored.fits(part),
    read: (images, _box, part, signal) => {
      const waiting = stored.read(images, part, signal);
      return waiting ? waiting.then(() => stored.block) : stored.block;
    },
  };
};
