/**
 * What tiles are made from.
 *
 * @module
 */

import type { CsrBlock } from "../../dataset/storage/sparse/csr_block.ts";
import type { RawSamples } from "../interface/tile.ts";

/** A part of a block of sparse frames, starting at pixel `first`. */
export interface SparseSource {
  /** The frames. */
  readonly block: CsrBlock;
  /** The first pixel. */
  readonly first: number;
}

/** Dense samples, or a part of a block of sparse frames. */
export type TileSource = RawSamples | SparseSource;
