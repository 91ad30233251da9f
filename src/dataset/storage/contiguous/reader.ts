/**
 * Reads frames that follow each other and are plain samples: directly into memory, or shown where they lie.
 *
 * @module
 */

import { framePart } from "../../layout/frame_part.ts";
import type { ContiguousStorage } from "../../layout/storage.ts";
import { checkBytes, type MakeReader } from "../common/block_reader.ts";
import { StoredReader } from "./stored_reader.ts";

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
