/**
 * Pixels of four bytes that are stored as blue, green, red and opacity, and shown as red, green, blue and opacity.
 *
 * @module
 */

import type { FrameDecoder } from "./codec.ts";

/** Decoder of the codec `bgra`; frames are whole pixels. */
export const bgraDecoder: FrameDecoder = {
  decode({ memory, dst, src, frames, srcStride, storedBytes }) {
    const bytes = new Uint8Array(memory.buffer);
    for (let f = 0; f < frames; f++) {
      for (let i = 0; i < storedBytes; i++) {
        const channel = i % 4;
        bytes[dst + f * storedBytes + (channel === 3 ? i : i + 2 - 2 * channel)] =
          bytes[src + f * srcStride + i]!;
      }
    }
  },
};
