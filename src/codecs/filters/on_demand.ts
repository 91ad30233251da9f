/**
 * Filters of chunks for readers of any frames: the table of filters is loaded when the first chunk has one.
 *
 * @module
 */

import type { ChunkFilter } from "./common/filter.ts";

/** The filter `name`, which must be known. */
export async function filterOf(name: string): Promise<ChunkFilter> {
  const { chunkFilter } = await import("./registry.ts");
  return await chunkFilter(name);
}
