/**
 * Chooses the reader of the samples of views.
 *
 * @module
 */

import type { ChunkedArray } from "./chunk_plan.ts";
import type { SingleLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";

/** A reader of the samples of `plan`; opens its sources. */
export async function openSamples(plan: SingleLayout, options: SampleReaderOptions): Promise<SampleReader> {
  if (options.chunks) {
    const { ChunkSamples } = await import("./chunk_samples.ts");
    // the plan has a place for chunks where the array is read chunk by chunk
    return ChunkSamples.open(plan.array as ChunkedArray, options);
  }
  if ("layout" in plan.array) {
    const { FrameSamples } = await import("./frame_samples.ts");
    return await FrameSamples.open(plan, plan.array, options);
  }
  const { PlainSamples } = await import("./plain_samples.ts");
  return await PlainSamples.open(plan, plan.array, options);
}
