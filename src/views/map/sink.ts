/**
 * The interface of sinks, which take the result of an operation over views, block by block.
 *
 * @module
 */

import type { Beside } from "../../io/write/together.ts";
import type { OptionRule } from "../../options.ts";
import { must } from "../../options/rules.ts";
import type { EncodedChunk } from "../../sinks/chunks/made.ts";
import type { ChunkTarget } from "../../sinks/chunks/target.ts";
import type { Shape } from "../../space/shape.ts";
import { Turns } from "../../turns.ts";
import type { ArrayFacts } from "../array.ts";
import type { AnySink, ChunkSink, MapPlan, MapRunOptions, MapSink } from "./map_plan.ts";

/** What tiles may take. */
export interface TileRoom {
  /** Bytes of the budget. */
  readonly memory: number;
  /** Workers. */
  readonly workers: number;
}

/** Tiles that a plan may have, the best one first. */
export type Tiles = readonly [Shape, ...Shape[]];

/** Chunks that others have made: the first ones of a target, in its order, with their halves. */
export type EarlierChunks = AsyncIterable<EncodedChunk>;

/** What sinks of chunks have for plans, and for chunks that are made elsewhere. */
export interface StoredSink extends ChunkSink {
  /** Tiles that a plan over an array with these facts may have. */
  tiles(array: ArrayFacts, room: TileRoom): Tiles;
  /** The plan with all that a run of it holds to store its result; `sees`: with what sees samples in their order. */
  planned(plan: MapPlan, sees: boolean): MapPlan;
  /** How the result of a plan lies in files. */
  target(plan: MapPlan): ChunkTarget;
  /** Stores the result of a plan; the chunks of `earlier` are not made again. */
  store(plan: MapPlan, options: MapRunOptions, earlier?: EarlierChunks): Promise<void>;
}

/** Whether a sink stores chunks. */
export function isChunkSink(sink: unknown): sink is StoredSink {
  return typeof (sink as Partial<StoredSink> | undefined)?.target === "function";
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

/** Rule for sinks. */
export const sinkRule: OptionRule<AnySink<never>> = must(
  'a function of blocks, or a sink such as fileSink("mean.npy")',
  (value) => {
    const { takes, write } = (value ?? {}) as Partial<MapSink>;
    if (isChunkSink(value)) return true;
    return typeof value === "function" ||
      ((takes === "bands" || takes === "tiles") && typeof write === "function");
  },
);

// Shows samples to who sees them on their way: in pieces, as workers wait for their next task meanwhile.

/** Bytes that are seen without a pause. */
const PIECE = 2 ** 21;

/** Shows all bytes, unless it has ended before. */
export async function shown(bytes: Uint8Array, see: SeeSamples, hasEnded = () => false): Promise<void> {
  const turns = new Turns();
  for (let at = 0; at < bytes.length && !hasEnded(); at += PIECE) {
    if (at > 0) await turns.give();
    see(bytes.subarray(at, at + PIECE));
  }
}
