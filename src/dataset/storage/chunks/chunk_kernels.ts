/**
 * The kernels that readers of chunks call.
 *
 * @module
 */

import { filterKernels } from "../../../codecs/filters/registry.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import type { ChunkLayout } from "../../layout/chunks.ts";

/** The families of kernels that undo the filters of chunks, and put them into frames. */
export function chunkKernels({ filters, order, shards = [] }: ChunkLayout): KernelFamily[] {
  const all = [...filters, ...shards.flatMap((level) => level.filters)].map(({ name }) => name);
  return ["copy_rows", ...[...all, ...(order ? ["transpose"] : [])].flatMap(filterKernels)];
}
