/**
 * Runs of planned operations over views: the result as a whole, or block by block.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { MapBlock } from "./blocks.ts";
import { Collected } from "./collected.ts";
import type { MapPlan, MapRun, MapRunOptions, WithSink } from "./map_plan.ts";
import { checkMapRun, mapBlocks, mapInto } from "./run.ts";

/** The run of the plan, or of a copy of it with other facts, whose method it is. */
export function runMap<D extends DType>(
  this: MapPlan<D>,
  options: MapRunOptions & Partial<WithSink<D>> = {},
): MapRun<D> | Promise<void> {
  checkMapRun("run()", this, options);
  const { sink } = options;
  return sink ? mapInto(this, options, sink) : new PlannedMapRun(this, options);
}

/** A run that has not started. */
export class PlannedMapRun<D extends DType> implements MapRun<D> {
  #whole: Promise<NDArray<D>> | undefined;

  constructor(private readonly plan: MapPlan<D>, private readonly options: MapRunOptions) {}

  [Symbol.asyncIterator](): AsyncIterableIterator<MapBlock<D>, undefined> {
    return mapBlocks(this.plan, this.options);
  }

  /** The result. `over-budget` if the context has no room for it: then iterate over its blocks, or give a sink. */
  then<A = NDArray<D>, B = never>(
    resolve?: ((result: NDArray<D>) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#whole ??= this.#collect()).then(resolve, reject);
  }

  async #collect(): Promise<NDArray<D>> {
    const collected = new Collected(this.plan);
    for await (const block of this) await collected.add(block);
    return collected.result;
  }
}
