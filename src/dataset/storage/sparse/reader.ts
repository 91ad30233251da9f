/**
 * Reads sparse frames as blocks of all their samples.
 *
 * @module
 */

import { kernel } from "../../../kernels/registry.ts";
import type { Box } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { framePart } from "../../layout/frame_part.ts";
import type { FrameLayout } from "../../layout/layout.ts";
import type { SparseStorage } from "../../layout/storage.ts";
import { type MakeReader, neededKernels } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { sizeType } from "../common/size_type.ts";
import { CsrReader, type CsrReaderOptions } from "./csr_reader.ts";
import { mostEntriesOfAny } from "./entries.ts";

/** Reads blocks of sparse frames, and shows parts of them as plain samples. */
class CsrFrames {
  readonly #reader: CsrReader;
  readonly #pointer: number;
  readonly #capacity: number;

  /** A reader that shows the part `box` or smaller ones. */
  constructor(
    private readonly layout: FrameLayout<SparseStorage>,
    private readonly options: CsrReaderOptions,
    box: Box,
  ) {
    this.#reader = new CsrReader(layout, options);
    this.#capacity = options.maxFrames * framePart(this.layout, box).bytes;
    this.#pointer = options.slab.take(this.#capacity, "dense frames");
  }

  /** Whether blocks of the part `box` can be shown. */
  fits(box: Box): boolean {
    return this.options.maxFrames * framePart(this.layout, box).bytes <= this.#capacity;
  }

  /** Reads `images`, and returns the address of their part `box`, frame after frame without gaps. */
  async read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number> {
    const { indptr, indices, data, frames } = await this.#reader.read(Array.from(images), signal);
    const { starts, runBytes, bytes } = framePart(this.layout, box);
    const { itemSize } = dtypeInfo(this.layout.dtype);
    const fill = kernel(this.options.kernels, "csr_dense", sizeType(this.layout.dtype));
    starts.forEach((start, r) => {
      const into = this.#pointer + r * runBytes;
      fill(into, bytes, indptr, indices, data, frames, start / itemSize, runBytes / itemSize);
    });
    return this.#pointer;
  }

  /** Throws `changed` when a file that was read has changed since it was opened. */
  recheck(): void {
    this.#reader.recheck();
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.#reader[Symbol.asyncDispose]();
  }
}

/** A reader of sparse frames. */
export const makeReader: MakeReader<SparseStorage> = ({ layout, box, options }) => {
  const kernels = neededKernels(options, "sparse frames");
  const maxEntries = options.maxEntries ?? mostEntriesOfAny(layout.storage.rows, options.maxFrames);
  const frames = new CsrFrames(layout, { ...options, kernels, maxEntries }, box);
  return { ...gathered(frames, "little"), recheck: () => frames.recheck(), close: () => frames.close() };
};
