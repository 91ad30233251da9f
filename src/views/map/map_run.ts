/**
 * Runs of planned operations over views: the result as a whole, or block by block.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { MapBlock } from "./blocks.ts";
import { Collected } from "./collected.ts";
import type { MapPlan } from "./facts.ts";
import { checkMapRun, mapBlocks, mapInto } from "./run.ts";
import type { MapRunOptions, WithSink } from "./sink.ts";

/**
 * A run of an operation: await it for the result, or iterate over its blocks. Each iteration is a separate pass.
 * @category Views
 */
export class MapRun<D extends DType = DType> implements AsyncIterable<MapBlock<D>>, PromiseLike<NDArray<D>> {
  #whole: Promise<NDArray<D>> | undefined;

  /** A run that has not started. */
  constructor(private readonly plan: MapPlan<D>, private readonly options: MapRunOptions) {}

  /** The blocks: bands from the first row to the last, or tiles as they are computed, as planned. */
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

/** Runs a plan of an operation over views; `run()` is its public name. */
export function runMap<D extends DType>(
  plan: MapPlan<D>,
  options: MapRunOptions & Partial<WithSink<D>>,
): MapRun<D> | Promise<void> {
  checkMapRun("run()", plan, options);
  const { sink } = options;
  return sink ? mapInto(plan, options, sink) : new MapRun(plan, options);
}
