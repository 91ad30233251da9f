/**
 * Runs of planned operations over views: the result as a whole, or block by block.
 *
 * @module
 */

import { accountWith, fits, overBudget } from "../../memory/account.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { insideOf } from "../../runner/context.ts";
import { bytesOf } from "../../space/bytes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type NDArray, zeroArray } from "../../space/ndarray.ts";
import { ravel, sizeOf } from "../../space/shape.ts";
import { Turns } from "../../turns.ts";
import type { MapBlock } from "./blocks.ts";
import { type MapPlan, type MapRun, type MapRunOptions, resultOfPlan, type WithSink } from "./map_plan.ts";
import { checkMapRun, executorOf, mapBlocks, mapInto } from "./run.ts";

// A result in memory, put together from its blocks by the calling thread.
//
// The system fills each page of new memory with zeros when it is written to for the first time, which takes several times as
// long as the copy. Workers wait for their next tile if this thread does all of a block at once. So it takes a piece at
// a time, and answers workers in between; and it may touch the pages while it has nothing else to do.

/** Milliseconds after which workers are answered: about as long as one of them needs for a tile. */
const LONGEST = 1;

/** Bytes between two looks at the clock. */
const PIECE = 2 ** 18;

/** Bytes of the smallest pages. */
const PAGE = 4096;

/** The result of a plan. */
export class Collected<D extends DType> {
  readonly #whole: NDArray<D>;
  readonly #bytes: Uint8Array;
  /** None where this thread computes the tiles itself. */
  readonly #turns: Turns | undefined;

  /** A result of zeros; `over-budget` if the context has no room for it beside the run. */
  constructor(private readonly plan: MapPlan<D>) {
    mustFit(plan);
    this.#whole = zeroArray(plan.shape, plan.dtype);
    this.#bytes = bytesOf(this.#whole.data);
    if (executorOf(plan).kind !== "inline") this.#turns = new Turns(LONGEST);
  }

  /** The result: zeros where no block has been added. */
  get result(): NDArray<D> {
    return resultOfPlan(this.plan, this.#whole.data);
  }

  /** Copies a block to its place. */
  async add({ data, shape, origin }: MapBlock<D>): Promise<void> {
    const { shape: whole, dtype, blocks: { kind } } = this.plan;
    if (kind === "bands") {
      return await this.#copy(bytesOf(data), ravel(origin, whole) * dtypeInfo(dtype).itemSize);
    }
    const box = { origin: origin.map(() => 0), shape };
    copyBox(viewOf(data, dtype, shape), box, viewOf(this.#whole.data, dtype, whole), origin);
    await this.#answer();
  }

  /** Touches the pages until `work` is done; no block may have been added. */
  async touch(work: Promise<unknown>): Promise<void> {
    let goesOn = this.#turns !== undefined;
    const stop = () => void (goesOn = false);
    work.then(stop, stop);
    for (let at = 0; goesOn && at < this.#bytes.length; at += PIECE) {
      for (let page = at; page < Math.min(at + PIECE, this.#bytes.length); page += PAGE) {
        this.#bytes[page] = 0;
      }
      await this.#answer();
    }
  }

  /** A band is one run of the result. */
  async #copy(band: Uint8Array, at: number): Promise<void> {
    for (let i = 0; i < band.length; i += PIECE) {
      this.#bytes.set(band.subarray(i, i + PIECE), at + i);
      await this.#answer();
    }
  }

  async #answer(): Promise<void> {
    if (this.#turns?.due) await this.#turns.give();
  }
}

function mustFit({ operation, shape, dtype, memory, context }: MapPlan): void {
  const result = sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  const held = accountWith(memory, { what: "the result", each: result, count: 1, onHeap: true });
  if (fits(held, insideOf(context))) return;
  const problem = `Cannot hold the result of ${operation.name}`;
  throw overBudget(problem, held, insideOf(context), "{ sink }, its blocks, or ");
}

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
