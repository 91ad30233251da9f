/**
 * The tools of readers of chunks.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { Slab } from "../../../memory/slab.ts";
import type { FilterOf, ReaderOptions } from "../common/block_reader.ts";

/** Memory, kernels and filters. */
export interface ChunkTools {
  /** Where buffers come from. */
  readonly slab: Slab;
  /** The kernels over its memory. */
  readonly kernels: Kernels;
  /** Finds filters. */
  readonly filterOf: FilterOf;
  /** Whether parts follow each other, each in one chunk or from the start of one. */
  readonly inOrder?: boolean;
  /** Whether no decoded chunk is kept. */
  readonly lean?: boolean;
}

/** The tools among the options of a reader; refused where one is missing. */
export function chunkTools(
  { slab, kernels, filterOf, inOrder = false, lean = false }: ReaderOptions,
): ChunkTools {
  if (kernels && filterOf) return { slab, kernels, filterOf, inOrder, lean };
  throw new TilewiseError("invalid", "Cannot read chunks without kernels and filters");
}
