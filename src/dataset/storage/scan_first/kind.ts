/**
 * Frames whose scan is stored fastest: the facts for planners.
 *
 * @module
 */

import type { ScanFirstStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { scanFirstBuffers } from "./buffers.ts";
import { scanFirstBands, scanFirstTiles } from "./tiling.ts";

/** The samples of one pixel together, those of one frame apart. */
export const SCAN_FIRST: StorageKind<ScanFirstStorage> = {
  ...USUAL,
  buffers: (layout, { frames, box }) => scanFirstBuffers(layout, frames, box),
  bands: (_layout, frames, deep) => deep ? scanFirstBands(frames) : {},
  tiles: (layout, wish) => wish.deep ? scanFirstTiles(layout, wish) : undefined,
  whole: () => "the samples of a frame lie apart in the file",
  facts: ({ byteOrder }) => ({ order: "F", words: [`${byteOrder} endian`, "Fortran order"] }),
};
