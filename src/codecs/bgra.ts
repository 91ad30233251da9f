/**
 * Pixels of bytes that are stored as blue, green, red (and opacity), and shown as red, green, blue (and opacity).
 *
 * @module
 */

import { type FrameDecoder, numberParam } from "./codec.ts";

/** Decoder of the codec `bgra`; parameter: `channels` of a pixel. Frames are whole pixels. */
export const bgraDecoder: FrameDecoder = {
  decode(job) {
    const { memory, dst, src, frames, srcStride, storedBytes } = job;
    const channels = numberParam(job, "channels");
    const bytes = new Uint8Array(memory.buffer);
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < storedBytes; i++) {
        const channel = i % channels;
        bytes[dst + f * storedBytes + (channel === 3 ? i : i + 2 - 2 * channel)] =
          bytes[src + f * srcStride + i]!;
      }
    }
  },
};
