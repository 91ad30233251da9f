/**
 * What a planned operation over views is: its facts, its run, and the sinks that take its result.
 *
 * @module
 */

import type { SourceSpec } from "../../io/source/source.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import { showAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import type { AnyPlan, FactsOf } from "../../runner/plan.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { showBorders } from "../../space/border.ts";
import type { DType } from "../../space/dtype.ts";
import { covers, showHalo } from "../../space/halo.ts";
import { axisInWords } from "../../space/meaning/axes.ts";
import { isUsual, valuesInWords } from "../../space/meaning/values.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { TileOrder } from "../../space/traversal.ts";
import { type ArrayFacts, storedShape } from "../array.ts";
import { stepsOf } from "../operations/chain.ts";
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
 * Takes a result, such as {@link fileSink}.
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
 * workers do its work, such as compression. {@link fileSink} makes them.
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
  /** Takes the result: a function of bands, or a sink such as {@link fileSink}. */
  readonly sink: AnySink<D>;
}

// The facts of a planned operation over views, as fields and as text.

/** The result of a plan with these samples, and what it says of itself. */
export function resultOfPlan<D extends DType>(plan: MapPlan<D>, data: NDArray<D>["data"]): NDArray<D> {
  const { shape, dtype, axes, values, views: { array } } = plan;
  return {
    ...ndarray(data, storedShape(shape, array), dtype),
    ...(axes && !array.isScalar ? { axes } : {}),
    ...(isUsual(values, dtype) ? {} : { values }),
  };
}

/** The result of a plan, as targets see it. */
export function arrayOfPlan({ shape, dtype, axes, values, views: { array } }: MapPlan, stem: string) {
  const { nav, dtype: source, isScalar } = array;
  return {
    shape,
    dtype,
    axes,
    values,
    source,
    stem,
    ...(nav === undefined ? {} : { nav }),
    ...(isScalar ? { isScalar } : {}),
  };
}

/** One line per decision. */
export function explainMap(plan: FactsOf<MapPlan>): string {
  const { operation, facts, views, dtype, traversal, blocks, memory, context } = plan;
  const { array, grid, halo, borders, fill, shape, byteLength } = views;
  const outside = showBorders(borders, fill);
  const wider = covers(facts.halo, halo) ? "" : `, of which it uses ${showHalo(facts.halo)}`;
  const order = blocks.kind === "bands" ? "from the first to the last" : "as they are computed";
  return [
    `${operation.name} over ${showShape(array.shape)} ${array.dtype}: ${showShape(plan.shape)} ${dtype}`,
    ...explainResult(plan),
    ...explainAlong(plan),
    ...plan.steps.map(explainStep),
    `${sizeOf(grid.counts)} tiles of ${showShape(grid.tile)}, ${traversal.name}, with a halo of ${
      showHalo(halo)
    }${wider}; border ${outside}`,
    `views of ${showShape(shape)}: ${formatBytes(byteLength)} each`,
    `${sizeOf(blocks.counts)} ${blocks.kind} of ${showShape(blocks.shape)} leave ${order}`,
    `memory: ${showAccount(memory, insideOf(context))}`,
  ].join("\n");
}

/** What the result says of itself. */
function explainResult({ values, axes = [], shape, views: { array } }: FactsOf<MapPlan>): string[] {
  const words = valuesInWords(values);
  const lost = array.values?.missing !== undefined && values.missing === undefined
    ? [`samples that are ${array.values.missing} are missing: they count as numbers here`]
    : [];
  const known = axes.flatMap((axis, d) => {
    const facts = axisInWords(axis);
    return facts === "" ? [] : [`axis ${axis.name ?? d}: ${shape[d]} samples${facts}`];
  });
  return [...(words === "" ? [] : [`values: ${words}`]), ...lost, ...known];
}

/** Along which dimensions images are seen, where these are not all. */
function explainAlong({ operation, views: { array } }: FactsOf<MapPlan>): string[] {
  const along = stepsOf(operation).find((step) => step.along)?.along;
  if (!along) return [];
  const names = along.dims.map((d) => array.axes?.[d]?.name ?? `dimension ${d}`);
  return [`along ${names.join(", ")}: each image of the other dimensions by itself`];
}

function explainStep({ name, facts: { halo, dtype, result }, made }: StepFacts, n: number): string {
  const seen = [...halo.front, ...halo.back].some((r) => r > 0) ? `halo of ${showHalo(halo)}` : "no halo";
  return `step ${n + 1}, ${name}: ${dtype} to ${result}, ${seen}, ${showShape(made)} samples per tile`;
}
