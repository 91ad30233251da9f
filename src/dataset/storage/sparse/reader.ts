/**
 * Reads sparse frames as blocks of all their samples.
 *
 * @module
 */

import type { SparseStorage } from "../../layout/storage.ts";
import { type MakeReader, neededKernels } from "../common/block_reader.ts";
import { gathered } from "../common/gathered.ts";
import { CsrFrames } from "./csr_frames.ts";
import { mostEntriesOfAny } from "./entries.ts";

/** A reader of sparse frames. */
export const makeReader: MakeReader<SparseStorage> = ({ layout, box, options }) => {
  const kernels = neededKernels(options, "sparse frames");
  const maxEntries = options.maxEntries ?? mostEntriesOfAny(layout.storage.rows, options.maxFrames);
  const frames = new CsrFrames(layout, { ...options, kernels, maxEntries }, box);
  return { ...gathered(frames, "little"), recheck: () => frames.recheck(), close: () => frames.close() };
};
