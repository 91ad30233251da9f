/**
 * Sparse frames: the facts for planners.
 *
 * @module
 */

import { frameBytes } from "../../layout/layout.ts";
import type { SparseStorage } from "../../layout/storage.ts";
import { type StorageKind, USUAL } from "../common/kind.ts";
import { csrBytes, csrFrameBuffers, mostEntries, mostEntriesOfAny, storedBytesOf } from "./entries.ts";

/** Rows of a sparse matrix. */
export const SPARSE: StorageKind<SparseStorage> = {
  ...USUAL,
  buffers: (layout, { frames, box, entries }) =>
    csrFrameBuffers(layout, frames, box, entries ?? mostEntriesOfAny(layout.storage.rows, frames)),
  loadedOrder: () => "little",
  form: "csr",
  inOrder: false,
  pitch: ({ sigShape, dtype }) => frameBytes(sigShape, dtype),
  partitionPitch: ({ sigShape, dtype }) => frameBytes(sigShape, dtype),
  storedBytes: (layout, images) => storedBytesOf(layout, images.list()),
  entries: ({ storage }, frames, images) => mostEntries(storage.rows, frames, images.list()),
  rowBytes: csrBytes,
  readsWhole: false,
  kernels: () => ["csr_rows", "csr_dense", "swap"],
  whole: () => "frames are stored as sparse rows and read as a whole",
  mapSources: (storage, change) => ({ ...storage, indices: change(storage.indices) }),
  facts: ({ byteOrder }) => ({
    order: "C",
    words: [`${byteOrder} endian`, "rows of a sparse matrix"],
    isAverage: true,
  }),
};
