/**
 * Frames whose rows are stored from the last to the first.
 *
 * @module
 */

import { sizeOf } from "../space/shape.ts";
import { checkStored, type FrameDecoder, numberParam } from "./codec.ts";

/** Decoder of the codec `flip_rows`; parameter: `itemSize`, bytes of a sample. Its samples are little endian. */
export const flipRowsDecoder: FrameDecoder = {
  decode(job) {
    const { memory, dst, src, frames, srcStride, sigShape } = job;
    const [rows, row] = [sigShape[0]!, sizeOf(sigShape.slice(1)) * numberParam(job, "itemSize")];
    checkStored(job, rows * row);
    const bytes = new Uint8Array(memory.buffer);
    for (let f = 0; f < frames; f++) {
      for (let y = 0; y < rows; y++) {
        const from = src + f * srcStride + (rows - 1 - y) * row;
        bytes.copyWithin(dst + (f * rows + y) * row, from, from + row);
      }
    }
  },
};
