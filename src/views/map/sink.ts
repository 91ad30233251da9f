/**
 * The interface of sinks, which take the result of an operation over views, block by block.
 *
 * @module
 */

import type { Beside } from "../../io/write/together.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import { must } from "../../options/rules.ts";
import type { OptionRule } from "../../options.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ArrayFacts } from "../array.ts";
import type { BlockKind, MapBlock } from "./blocks.ts";
import type { MapPlan } from "./facts.ts";

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

/** What tiles may take. */
export interface TileRoom {
  /** Bytes of the budget. */
  readonly memory: number;
  /** Workers. */
  readonly workers: number;
}

/** Tiles that a plan may have, the best one first. */
export type Tiles = readonly [Shape, ...Shape[]];

/** What a sink of chunks has that knows tiles of several chunks, beside what others have. */
export interface TilingSink extends ChunkSink {
  /** Tiles that a plan over an array with these facts may have. */
  tiles(array: ArrayFacts, room: TileRoom): Tiles;
}

/** The tiles that a sink takes. */
export function tilesFor(sink: ChunkSink, room: TileRoom): (array: ArrayFacts) => Tiles {
  const { tiles } = sink as Partial<TilingSink>;
  return tiles ? (array) => tiles(array, room) : (array) => [sink.tile(array)];
}

/** Whether a sink is a {@link ChunkSink}. */
export function isChunkSink(sink: unknown): sink is ChunkSink {
  return isStoring(sink) && typeof (sink as Partial<ChunkSink>).tile === "function";
}

/** What a sink that runs plans itself has, beside what other sinks have. */
export type StoringSink = Pick<ChunkSink, "store">;

/** Is called with the samples of a result, from the first to the last, in pieces; it must not keep them. */
export type SeeSamples = (bytes: Uint8Array) => void;

/** Settings of a run to a sink that runs plans itself. */
export interface StoreSettings extends MapRunOptions {
  /** What lies beside the result. */
  readonly beside?: Beside | undefined;
  /**
   * Sees all samples on their way. It is not called, or not for all of them, where they do not come by in order: in chunks where
   * there is no room for a row of these, and where some have been made before.
   */
  readonly see?: SeeSamples | undefined;
}

/** A sink whose results get their names with what lies beside them, and whose samples are seen. */
export function withBeside<S extends StoringSink>(sink: S, beside: Beside, see?: SeeSamples): S {
  const store: S["store"] = (plan, settings, ...more) =>
    sink.store(plan, { ...settings, beside, see } as StoreSettings, ...more);
  return { ...sink, store };
}

export type { Beside };

/** Whether a sink runs plans itself, so that workers do its work. */
export function isStoring(sink: unknown): sink is StoringSink {
  return typeof (sink as Partial<StoringSink> | undefined)?.store === "function";
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

/** Rule for sinks. */
export const sinkRule: OptionRule<AnySink<never>> = must(
  "a function of blocks, or a sink such as npyFile(path)",
  (value) => {
    const { takes, write } = (value ?? {}) as Partial<MapSink>;
    if (isChunkSink(value)) return true;
    return typeof value === "function" ||
      ((takes === "bands" || takes === "tiles") && typeof write === "function");
  },
);
