/**
 * What a planned operation over views is: its facts, its run, and the sinks that take its result.
 *
 * @module
 */

import type { SourceSpec } from "../../io/source/source.ts";
import type { Pack } from "../../kernels/table/common/packs.ts";
import type { AnyPlan } from "../../runner/plan.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Shape } from "../../space/shape.ts";
import type { TileOrder } from "../../space/traversal.ts";
import type { ArrayFacts } from "../array.ts";
import type { OperationFacts, ViewOperation } from "../operations/operation.ts";
import type { ViewLayout } from "../plan.ts";
import type { BlockKind, BlockLayout, MapBlock } from "./blocks.ts";
import type { MapMemory } from "./memory.ts";

/**
 * One step of a chain.
 * @category Views
 */
export interface StepFacts {
  /** Its name in messages. */
  readonly name: string;
  /** Facts of its use; its tile is what it computes for one tile of the chain. */
  readonly facts: OperationFacts<object>;
  /** Samples per dimension of its result, for a full tile of the chain, with the halo of later steps. */
  readonly made: Shape;
}

/**
 * A planned operation over views.
 * @category Views
 */
export interface MapPlan<D extends DType = DType> extends AnyPlan {
  /** The operation. */
  readonly operation: ViewOperation<D>;
  /** Facts of its use. */
  readonly facts: OperationFacts<object>;
  /** Of a chain: its steps, first to last. Of other operations: none. */
  readonly steps: readonly StepFacts[];
  /** The views that it reads. */
  readonly views: ViewLayout;
  /** Shape of the result; of an array without dimensions, that of its views: one sample. */
  readonly shape: Shape;
  /** Type of the result. */
  readonly dtype: D;
  /** Names, scales and units of the dimensions of the result, if they are known. */
  readonly axes?: readonly AxisFacts[];
  /** What the samples of the result mean. */
  readonly values: ValueFacts;
  /** The order of tiles. */
  readonly traversal: TileOrder;
  /** The blocks in which the result is delivered. */
  readonly blocks: BlockLayout;
  /** The packs of kernels that it needs; they are loaded. */
  readonly packs: readonly Pack[];
  /** The memory that it will hold, at most. */
  readonly memory: MapMemory;
  /** Runs it, as {@link run} does; a sink takes the result. */
  run(options: MapRunOptions & WithSink<D>): Promise<void>;
  /** Runs it: await the run for the result, or iterate over its blocks. */
  run(options?: MapRunOptions): MapRun<D>;
}

/**
 * Options of the run of an operation over views.
 * @category Views
 */
export type MapRunOptions = RunSettings<TileProgress>;

/**
 * Facts about the result, for a sink.
 * @category Views
 */
export interface ResultFacts<D extends DType = DType> {
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: D;
  /** Names, kinds, scales and units of its dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** What its samples mean. Absent: what follows from their type. */
  readonly values?: ValueFacts;
  /** Samples of a full tile. */
  readonly tile: Shape;
  /** The sources that are being read: a sink must not write to them. */
  readonly sources: readonly SourceSpec[];
}

/**
 * Takes a result, such as {@link npyFile}.
 * @category Views
 */
export interface MapSink<D extends DType = DType> {
  /** The blocks that it takes: whole rows from the first to the last, or tiles in any order. */
  readonly takes: BlockKind;
  /**
   * Takes all blocks, and finishes each one before it requests the next. If a request fails, the run has failed: what
   * was written must not look like a result.
   */
  write(facts: ResultFacts<D>, blocks: AsyncIterable<MapBlock<D>>): Promise<void>;
}

/**
 * A run of an operation: await it for the result, or iterate over its blocks. Each iteration is a separate pass.
 * @category Views
 */
export interface MapRun<D extends DType = DType> extends AsyncIterable<MapBlock<D>>, PromiseLike<NDArray<D>> {
  /** The blocks: bands from the first row to the last, or tiles as they are computed, as planned. */
  [Symbol.asyncIterator](): AsyncIterableIterator<MapBlock<D>, undefined>;
}

/**
 * A sink that stores the result in chunks of its own: each tile of the plan is a chunk, the sink decides their order, and
 * workers do its work, such as compression. {@link zarrFile} and {@link tiffFile} make them.
 * @category Views
 */
export interface ChunkSink {
  /** It takes tiles. */
  readonly takes: "tiles";
  /** Samples per tile that a plan over an array with these facts must have. */
  tile(array: ArrayFacts): Shape;
  /** Runs a plan with such tiles, and stores its result. */
  store(plan: MapPlan, options: MapRunOptions): Promise<void>;
}

/**
 * A function that is called with each block, whole rows from the first to the last; copy what you keep.
 * @category Views
 */
export type BlockFunction<D extends DType = DType> = (block: MapBlock<D>) => void | Promise<void>;

/**
 * A sink, or a function that is used as one.
 * @category Views
 */
export type AnySink<D extends DType = DType> = MapSink<D> | ChunkSink | BlockFunction<D>;

/**
 * Options of a run whose result goes to a sink.
 * @category Views
 */
export interface WithSink<D extends DType = DType> {
  /** Takes the result: a function of bands, or a sink such as {@link npyFile}. */
  readonly sink: AnySink<D>;
}
