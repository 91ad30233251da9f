/**
 * Frames whose rows are stored from the last to the first.
 *
 * @module
 */

import { type FrameDecoder, numberParam } from "./codec.ts";

/**
 * Decoder of the codec `flip_rows`; parameter: `rows` of a frame as it is stored, which may be shown in another shape.
 * Samples are little endian.
 */
export const flipRowsDecoder: FrameDecoder = {
  decode(job) {
    const { memory, dst, src, frames, srcStride, storedBytes } = job;
    const rows = numberParam(job, "rows");
    const row = storedBytes / rows;
    const bytes = new Uint8Array(memory.buffer);
    for (let f = 0; f < frames; f++) {
      for (let y = 0; y < rows; y++) {
        const from = src + f * srcStride + (rows - 1 - y) * row;
        bytes.copyWithin(dst + (f * rows + y) * row, from, from + row);
      }
    }
  },
};
