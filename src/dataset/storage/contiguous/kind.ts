/**
 * One frame after another: the facts for planners.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { codecKernels } from "../../../codecs/registry.ts";
import { frameBytes, type FrameLayout } from "../../layout/layout.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { framePart, partBytes, wholePart } from "../../layout/frame_part.ts";
import { decoderBuffers } from "./decoder_buffers.ts";

/** Frame after frame, with a codec or as plain samples. */
export const CONTIGUOUS: StorageKind<ContiguousStorage> = {
  ...USUAL,
  buffers: (layout, { frames, box }) => {
    const part = framePart(layout, box);
    if (!layout.storage.codec) return Object.values(partBytes(layout, part, frames));
    return [partBytes(layout, wholePart(layout), frames).samples, ...decoderBuffers(layout, frames, part)];
  },
  loadedOrder: ({ storage, byteOrder }) => storage.codec ? "little" : byteOrder,
  stacks: ({ storage }) => !storage.codec,
  kernels: ({ storage: { codec } }) => codec ? codecKernels(codec.id) : [],
  whole: ({ storage: { codec } }) => codec && `frames are stored as ${codec.id} and decoded as a whole`,
  isPlain: (layout) => !layout.storage.codec && !hasGaps(layout),
  facts: ({ storage: { codec }, byteOrder }) => ({
    order: "C",
    ...defined({ codec }),
    words: [codec ? `codec ${codec.id}` : `${byteOrder} endian`],
  }),
};

/** Whether something lies between the samples of frames. */
function hasGaps(layout: FrameLayout): boolean {
  return layout.frameHeaderBytes + layout.frameFooterBytes > 0 ||
    layout.storedBytes !== frameBytes(layout.sigShape, layout.dtype);
}
