/**
 * Readers that gather the samples of frames from several places of their files.
 *
 * @module
 */

import type { Box } from "../../../space/box.ts";
import type { ByteOrder } from "../../../space/dtype.ts";
import type { FramePart } from "../../layout/frame_part.ts";
import type { BlockReader } from "./block_reader.ts";

/** The methods of such a reader. */
export interface Gathering {
  /** Whether blocks of the part `box` fit. */
  fits(box: Box): boolean;
  /** Reads the part `box` of `images`; the address of the first. */
  read(images: ArrayLike<number>, box: Box, signal?: AbortSignal): Promise<number>;
  /** Bytes from one frame in memory to the next. Default: those of the part. */
  strideOf?(part: FramePart): number;
}

/** `reader` as a reader of blocks. */
export function gathered(reader: Gathering, byteOrder: ByteOrder): BlockReader {
  return {
    byteOrder,
    fits: (box) => reader.fits(box),
    read: async (images, box, part, signal) => ({
      pointer: await reader.read(images, box, signal),
      frameStride: reader.strideOf?.(part) ?? part.bytes,
    }),
  };
}
