/**
 * Frames in sectors: the facts for planners.
 *
 * @module
 */

import { framePitch } from "../../layout/layout.ts";
import type { SectorStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { sectorBuffers, sectorTiles } from "./tiling.ts";

/** Every file has one sector of all frames. */
export const SECTORS_KIND: StorageKind<SectorStorage> = {
  ...USUAL,
  buffers: (layout, { frames, box }) => sectorBuffers(layout, frames, box),
  loadedOrder: () => "little",
  inOrder: false,
  // A quarter: results with a value for each of four million pixels are expensive to merge, so that partitions should have
  // many frames.
  partitionPitch: (layout) => framePitch(layout) / 4,
  tiles: ({ sigShape }, wish) => sectorTiles(sigShape, wish),
  stacks: () => true,
  readsWhole: false,
  kernels: () => ["k2is_rows"],
  whole: () => "frames are stored in blocks of columns",
  facts: () => ({ order: "C", words: ["blocks of sectors, 12 bits"] }),
};
