/**
 * Frames that are read into memory of their own, outside of runs: few samples of metadata, rows, one image.
 *
 * @module
 */

import { instantiateKernels, type Kernels } from "../kernels/wasm.ts";
import { Arena, type Lease } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import type { Box } from "../space/box.ts";
import type { FrameLayout } from "./layout/layout.ts";
import { loadReading, readerBytes } from "./storage/kinds.ts";
import { FrameReader, type FrameReaderOptions, type RawFrames } from "./storage/reader.ts";

/** Bytes of an arena that are not leased. */
const SLACK = 4096;

/** Which frames are read. */
export interface ApartOptions extends Pick<FrameReaderOptions, "box" | "inOrder" | "openSource"> {
  /** Most frames of a block. Default 1. */
  readonly maxFrames?: number;
  /** Bytes of the slab that the caller takes. Default 0. */
  readonly more?: number;
}

/** A reader of frames with its memory and kernels; all of it goes when it is disposed. */
export class FramesApart implements AsyncDisposable {
  private constructor(
    /** The reader. */
    readonly reader: FrameReader,
    /** Kernels over its memory. */
    readonly kernels: Kernels,
    /** Memory for the caller. */
    readonly slab: Slab,
    private readonly lease: Lease,
  ) {}

  /** Bytes that it holds; the kind of storage is loaded. */
  static bytesFor(
    layout: FrameLayout,
    { maxFrames = 1, box, inOrder = false, more = 0 }: ApartOptions = {},
  ): number {
    return readerBytes(layout, maxFrames, box, { inOrder }) + more + SLACK;
  }

  /** A reader of the frames of `layout`. */
  static async open(layout: FrameLayout, options: ApartOptions = {}): Promise<FramesApart> {
    await loadReading(layout);
    const { more: _, maxFrames = 1, ...rest } = options, bytes = FramesApart.bytesFor(layout, options);
    const arena = new Arena({ budget: bytes, shared: false });
    const lease = arena.lease(bytes - SLACK, "frames");
    const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
    const kernels = instantiateKernels(arena.memory);
    const reader = await FrameReader.open(layout, { ...rest, kernels, slab, maxFrames });
    return new FramesApart(reader, kernels, slab, lease);
  }

  /** The bytes of its memory. */
  get buffer(): ArrayBufferLike {
    return this.kernels.memory.buffer;
  }

  /** A part of one frame. */
  async load(image: number, part?: Box): Promise<RawFrames> {
    return await this.reader.load([image], part);
  }

  /** Closes files, and frees the memory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader[Symbol.asyncDispose]();
    this.lease[Symbol.dispose]();
  }
}
