/**
 * Runs an operation over views: workers compute tiles, and blocks of the result are delivered.
 *
 * The array, the result, or both may be larger than memory: a tile starts only when there is a place for its block.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job, Traffic } from "../../executor/task.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { kernelCode } from "../../kernels/wasm.ts";
import type { Lease } from "../../memory/arena.ts";
import { inWords, type OptionNames } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import { insideOf } from "../../runner/context.ts";
import type { Leases } from "../../runner/leases.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS, Runner } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/progress.ts";
import type { DType } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { memoryOfSamples, readSourcesOf, sourcesOfArray, storedShape } from "../array.ts";
import { borderModules, staysHere } from "../extend.ts";
import { chunkPlan, isChunked } from "../chunk_plan.ts";
import { ChunkStore, chunkUses, type StorePlace, tableOf } from "../chunks/store.ts";
import type { JoinedViews } from "../loader.ts";
import { bytesApart, layoutsOf, type ViewLayout } from "../plan.ts";
import { type MapBlock, tileInBlock } from "./blocks.ts";
import { BlocksUnderWay } from "./blocks_under_way.ts";
import {
  type AnySink,
  arrayOfPlan,
  type BlockFunction,
  type MapPlan,
  type MapRunOptions,
  type WithSink,
} from "./map_plan.ts";
import type { MapShared, MapTask } from "./job.ts";
import { isStoring, sinkRule } from "./sink.ts";

/** The names of the options of a run, with or without a sink. */
// deno-fmt-ignore: written by `deno task build`
export const MAP_RUN_OPTIONS: OptionNames<MapRunOptions & Partial<WithSink<never>>> = {
  ...RUN_SETTINGS, sink: sinkRule,
};

const JOB = { name: "tilewise:map", module: import.meta.resolve("./job.ts") };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/** Refuses invalid plans and unknown options; errors name `call`. */
export function checkMapRun<D extends DType>(
  call: string,
  plan: Partial<MapPlan<D>>,
  options: MapRunOptions & Partial<WithSink<D>>,
): void {
  checkRunOptions(call, plan, options, MAP_RUN_OPTIONS);
  if (!plan?.views || !plan.memory || !plan.context || !plan.operation) {
    const found = inWords(plan);
    const text = `${call} takes a plan, as planMap() makes it; it was given ${found}`;
    throw new TilewiseError("invalid", text, { option: "plan", found });
  }
  const { sink } = options;
  const takes = typeof sink === "function" ? "bands" : sink?.takes;
  if (takes === undefined || takes === plan.blocks?.kind) return;
  const text =
    `${call}: the sink takes ${takes}, the plan gives ${plan.blocks?.kind}; give { blocks: "${takes}" } ` +
    "to planMap()";
  throw new TilewiseError("invalid", text, { option: "sink", expected: takes });
}

/** A run that has not started, and its blocks. */
interface Begun<D extends DType> {
  readonly runner: Runner<TileProgress>;
  readonly count: TileCount;
  /** Whether the whole result has been computed without error. */
  readonly end: { complete: boolean };
  readonly blocks: AsyncIterableIterator<MapBlock<D>, undefined>;
}

function begin<D extends DType>(plan: MapPlan<D>, settings: MapRunOptions): Begun<D> {
  const count = new TileCount(sizeOf(plan.views.grid.counts));
  const runner = new Runner(plan.context, settings, () => count.progress());
  const end = { complete: false };
  const blocks = runner.parts(async function* () {
    yield* mapped(plan, runner, count);
    end.complete = true;
  });
  return { runner, count, end, blocks };
}

/**
 * The blocks of the result, with the same bits for any tile size, traversal, number of workers and budget. The run
 * holds `plan.memory.total` bytes of the context of its plan, and waits for them if other runs hold them.
 */
export function mapBlocks<D extends DType>(
  plan: MapPlan<D>,
  settings: MapRunOptions,
): AsyncIterableIterator<MapBlock<D>, undefined> {
  return begin(plan, settings).blocks;
}

/** Runs to the end; `sink` takes the blocks. */
export async function mapInto<D extends DType>(
  plan: MapPlan<D>,
  settings: MapRunOptions,
  sink: AnySink<D>,
): Promise<void> {
  if (isStoring(sink)) return await sink.store(plan, settings);
  const { runner, count, end, blocks } = begin(plan, settings);
  if (typeof sink === "function") {
    for await (const block of blocks) await runner.lend(called(sink, block));
    return;
  }
  const { shape, dtype, views: { array }, blocks: { grid: { tile } } } = plan;
  try {
    await sink.write(
      {
        ...arrayOfPlan(plan, ""),
        shape: storedShape(shape, array),
        dtype,
        tile,
        sources: sourcesOfArray(array),
      },
      blocks,
    );
    await blocks.next(); // the end of the run throws if anything has failed
    if (!end.complete) throw leftOver(count);
  } finally {
    await blocks.return?.();
  }
}

function leftOver({ done, total }: TileCount): TilewiseError {
  const text =
    `The sink resolved after ${done} of ${total} tiles; it must take blocks until there are no more`;
  return new TilewiseError("invalid", text, { option: "sink", expected: total, found: done });
}

async function called<D extends DType>(sink: BlockFunction<D>, block: MapBlock<D>): Promise<void> {
  try {
    await sink(block);
  } catch (cause) {
    const at = block.origin.join(", ");
    const text = `The sink failed for the block at (${at}): ${reasonOf(cause)}`;
    throw new TilewiseError("udf", text, { block: at }, { cause });
  }
}

async function* mapped<D extends DType>(
  plan: MapPlan<D>,
  runner: Runner<TileProgress>,
  count: TileCount,
): AsyncGenerator<MapBlock<D>, void> {
  runner.mustGoOn();
  const { views } = plan;
  if (count.total === 0) return;
  const sources = sourcesOfArray(views.array);
  const placement = await runner.enter((leases) => placementOf(plan, leases), sources);
  const blocks = new BlocksUnderWay(placement.blocks, plan);
  try {
    const executor = executorOf(plan);
    const job = jobOf(plan, placement, executor);
    const results = runner.results<MapShared, MapTask, void>(executor, job, blocks.tasks());
    for await (const { index } of results) {
      for (const block of blocks.finish(index)) {
        count.done += plan.blocks.tiles;
        yield* runner.handOver(block);
      }
    }
    await mustBeUnchanged(sources, runner.signal);
    runner.finish();
  } finally {
    blocks.end();
  }
}

/** The places of everything in memory. */
export interface MapPlacement {
  readonly slabs: readonly Lease[];
  readonly blocks: readonly Lease[];
  /** Decoded chunks that workers share. */
  readonly store: readonly Lease[];
  /** Further memory that workers need if they have their own memory: nothing is put there. */
  readonly copies: readonly Lease[];
  readonly memory: WebAssembly.Memory;
}

/** Takes all memory of a plan. */
export function placementOf({ memory, blocks: { kind } }: MapPlan, leases: Leases): MapPlacement {
  return {
    slabs: leases.many(memory.workers, memory.slab, "a view and what works on it"),
    blocks: leases.many(memory.blocks, memory.block, `${kind} of the result`),
    store: leases.many(memory.store > 0 ? 1 : 0, memory.store, "decoded chunks"),
    copies: leases.many(memory.copies > 0 ? 1 : 0, memory.copies, "copies of workers"),
    memory: leases.arena.memory,
  };
}

/** The executor of a plan. */
export function executorOf({ memory, operation, views: { borders }, ...plan }: MapPlan): Executor {
  const context = insideOf(plan.context);
  if (operation.here || staysHere(borders)) return context.executorOf(0);
  const modules = [...operation.modules ?? [], ...borderModules(borders)];
  return context.executorOf(memory.workers, modules.length > 0);
}

/** The job that computes tiles. */
export function jobOf(plan: MapPlan, placement: MapPlacement, executor: Executor): Job<MapShared> {
  const { operation, facts, views, blocks } = plan;
  const { slabs, memory } = placement;
  const travels = executor.memory === "own";
  const { array } = views;
  const samples = travels || "parts" in array ? undefined : memoryOfSamples(array);
  const places = slabs.map(({ offset, byteLength }) => ({ offset, byteLength }));
  const { name, operation: entry, along } = operation;
  const store = storeOf(plan, placement);
  const shared: MapShared = {
    operation: { name, operation: entry, ...(along ? { along } : {}) },
    facts,
    views,
    ...joinedOf(views, travels),
    blocks,
    code: kernelCode(memory, travels, plan.packs),
    slabs: places,
    ...store,
    ...(samples ? { samples } : {}),
  };
  return {
    ...JOB,
    export: "mapJob",
    shared,
    traffic: trafficOf(plan, store.chunks),
    sources: readSourcesOf(array),
    modules: [...operation.modules ?? [], ...borderModules(views.borders)],
  };
}

/** How the views of joined arrays are loaded; `travels`: by workers that share no memory with this thread. */
function joinedOf(views: ViewLayout, travels: boolean): { readonly joined?: JoinedViews } {
  const { array } = views;
  if (!("parts" in array)) return {};
  const layouts = layoutsOf(views);
  const samples = layouts.map(({ array }) => travels ? undefined : memoryOfSamples(array));
  return { joined: { layouts, samples, apart: bytesApart(views) } };
}

/** The place of decoded chunks; the store begins empty. */
function storeOf(
  { views, memory: { chunks: slots } }: MapPlan,
  { store: [lease], memory }: MapPlacement,
): { readonly chunks?: StorePlace } {
  const { array } = views;
  const needs = chunkPlan(array, views);
  if (!lease || !needs || !isChunked(array)) return {};
  const uses = chunkUses(views, array.layout.storage.chunks.chunk);
  const place = { offset: lease.offset, chunk: needs.chunk, slots, uses };
  new ChunkStore(memory, place).clear();
  return { chunks: place };
}

/** All tasks find an empty store of chunks; each returns the result of a tile, in its block. */
function trafficOf({ blocks, dtype }: MapPlan, chunks: StorePlace | undefined): Traffic {
  return {
    reads: chunks ? [tableOf(chunks)] : [],
    of: ({ index, block }: MapTask) => ({ reads: [], writes: tileInBlock(blocks, index, dtype, block) }),
  };
}
