/**
 * The worker side of an operation over views: loads the view of one tile; the operation writes the result of the tile
 * to its block.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { instantiateKernels, type KernelCode, type Kernels } from "../../kernels/bind.ts";
import { placesOf } from "../../memory/places.ts";
import { Slab } from "../../memory/slab.ts";
import { denseStrides } from "../../memory/strided.ts";
import { withHalo } from "../../space/halo.ts";
import type { Shape } from "../../space/shape.ts";
import { entryOf } from "../chain/entry.ts";
import type { StorePlace } from "../chunks/store.ts";
import { type BlockLayout, placeInBlock, tileOfResult } from "./blocks.ts";
import type { ViewGeometry } from "../geometry.ts";
import { JoinedLoader, type JoinedViews, type Loader, ViewLoader } from "../loader.ts";
import type { OperationFacts, PlacedSamples, ViewOperation } from "../operations/operation.ts";
import type { SingleLayout, ViewLayout } from "../plan.ts";
import type { SampleReaderOptions } from "../samples.ts";

/** What all tiles of a run share. */
export interface MapShared {
  /** The operation. */
  readonly operation: Pick<ViewOperation, "name" | "operation" | "along">;
  /** Facts of its use. */
  readonly facts: OperationFacts<object>;
  /** The views. */
  readonly views: ViewLayout;
  /** How the views of joined arrays are loaded. */
  readonly joined?: JoinedViews;
  /** The blocks of the result. */
  readonly blocks: BlockLayout;
  /** The kernels of the packs that the run needs. */
  readonly code: KernelCode;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
  /** Decoded chunks that all workers share, for arrays that are read chunk by chunk. */
  readonly chunks?: StorePlace;
  /** The memory with the samples of the array, if workers can reach it. */
  readonly samples?: WebAssembly.Memory;
}

/** One tile to compute. */
export interface MapTask {
  /** Index of the tile of the array. */
  readonly index: Shape;
  /** Address of the block that contains it. */
  readonly block: number;
}

/** The handler of an operation. */
export interface MapHandler extends JobHandler<MapTask, void> {
  /** The kernels that it uses. */
  readonly kernels: Kernels;
}

/** Makes the handler of an operation on one worker. */
export async function mapJob(shared: MapShared, worker: WorkerContext): Promise<MapHandler> {
  const { operation, facts, views, joined, blocks, code, slabs } = shared;
  const kernels = instantiateKernels(worker.memory, code);
  const { offset, byteLength } = slabs[worker.index]!;
  const slab = new Slab(worker.memory, offset, byteLength);
  const pointer = slab.take(views.byteLength, "a view");
  const entry = await entryOf({ ...operation, params: facts.params });
  const { array: { shape }, borders, fill } = views;
  const scratch = placesOf(entry.scratch(facts), (bytes, name) => slab.take(bytes, name));
  const work = await entry.start({
    ...facts,
    name: operation.name,
    kernels,
    scratch,
    whole: { shape, borders, fill },
  });
  const loader = await loaderOf(shared, { kernels, slab, signal: worker.signal });
  const apart = joined ? { apart: joined.apart } : {};
  return {
    kernels,
    async run({ index, block }) {
      const geometry = await loader.load(index, pointer, worker.signal);
      const { tile } = geometry;
      const made = tileOfResult(blocks, index);
      const { offset, strides } = placeInBlock(blocks, index, made, facts.result);
      const out = { pointer: block + offset, shape: made.shape, strides };
      await work({ ...viewAround(geometry, facts, pointer), ...apart }, out, tile);
      worker.advance(tile.shape.reduce((product, n) => product * n, 1));
    },
    close: async () => await loader[Symbol.asyncDispose](),
  };
}

/** The loader of the views of one array, or of joined arrays. */
async function loaderOf(
  { views, joined, chunks, samples }: MapShared,
  options: Pick<SampleReaderOptions, "kernels" | "slab" | "signal">,
): Promise<Loader> {
  if (joined) return await JoinedLoader.open(joined, options);
  // views of joined arrays come with what loads them
  return await ViewLoader.open(views as SingleLayout, {
    ...options,
    ...(chunks ? { chunks } : {}),
    ...(samples ? { samples } : {}),
  });
}

/** The part of a view that the operation reads: the clipped tile and a halo of the radius of the operation. */
function viewAround(
  { shape, tile, centralOffset }: ViewGeometry,
  { dtype, halo }: OperationFacts<object>,
  pointer: number,
): PlacedSamples {
  const strides = denseStrides(shape, dtype);
  const itemSize = strides.at(-1)!;
  const first = halo.front.reduce((at, r, d) => at - r * strides[d]!, centralOffset * itemSize);
  return { pointer: pointer + first, shape: withHalo(tile.shape, halo), strides };
}
