/**
 * Reads frames that follow each other and are stored with a codec.
 *
 * @module
 */

import { framePart, wholePart } from "../../layout/frame_part.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import type { MakeReader } from "../common/block_reader.ts";
import { BlockDecoder } from "./block_decoder.ts";
import { StoredReader } from "./stored_reader.ts";

/** A reader of encoded frames. */
export const makeReader: MakeReader<ContiguousStorage> = ({ layout, files, box, options }) => {
  const stored = new StoredReader(layout, files, options, wholePart(layout));
  const decoder = new BlockDecoder(layout, stored, options, framePart(layout, box));
  return {
    byteOrder: "little",
    fits: (_box, part) => decoder.fits(part),
    read: (images, _box, part, signal) => {
      const waiting = decoder.read(images, signal);
      return waiting ? waiting.then(() => decoder.show(part)) : decoder.show(part);
    },
  };
};
