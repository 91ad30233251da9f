/**
 * Makes chunks of a result: workers compute, halve and encode them; whoever asked takes them in the order of the target.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { registerJobs } from "../../../executor/handler.ts";
import type { Job } from "../../../executor/task.ts";
import { account, fits, overBudget } from "../../../memory/account.ts";
import { InOrder } from "../../../runner/in_order.ts";
import { insideOf } from "../../../runner/context.ts";
import type { Runner } from "../../../runner/runner.ts";
import type { TileProgress } from "../../../runner/progress.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { sourcesOfArray } from "../../array.ts";
import { blocksOf, type MapBlock, mostOpen, rowsOfTiles } from "../../map/blocks.ts";
import { BlocksUnderWay } from "../../map/blocks_under_way.ts";
import type { MapPlan } from "../../map/map_plan.ts";
import { blocksFor, holdingsOf } from "../../map/memory.ts";
import { executorOf, jobOf, type MapPlacement, placementOf } from "../../map/run.ts";
import { Feed } from "./feed.ts";
import type { StoreShared, StoreTask } from "./job.ts";
import { chunksIn, type EncodedChunk, type MadeChunks } from "../../../sinks/chunks/made.ts";
import type { ChunkTarget } from "../../../sinks/chunks/target.ts";
import { followEachOther, tileOfChunk } from "./halves.ts";

const JOB = { name: "tilewise:store", module: import.meta.resolve("./job.ts") };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/** Chunks that a worker holds outside of the memory of the run: plain, cut, halved, encoded. */
const COPIES = 4;

/** Chunks that are made, or wait for their turn to be written, at the same time. */
function aheadOf(workers: number): number {
  return 2 * workers + 2;
}

/** Bytes of small chunks that are made in one task: a task takes about as long as packing a few KiB. */
const TASK_BYTES = 2 ** 17;

/** Chunks per task: those of a tile; of several tiles if they are small, but so that all workers have some. */
function chunksPerTask(plan: MapPlan, target: ChunkTarget): number {
  const { dtype, memory: { workers } } = plan;
  const most = Math.floor(TASK_BYTES / Math.max(1, chunkBytes(target, dtype)));
  const each = Math.min(most, Math.floor(chunksOf(target) / (8 * Math.max(1, workers))));
  return Math.max(1, sizeOf(perTileOf(plan, target)), each);
}

/** Chunks per tile of a plan, per dimension. */
function perTileOf({ blocks: { grid } }: MapPlan, { chunk }: ChunkTarget): Shape {
  return grid.tile.map((n, d) => Math.ceil(n / chunk[d]!));
}

/** Bytes of a chunk. */
function chunkBytes({ chunk }: ChunkTarget, dtype: DType): number {
  return sizeOf([...chunk, dtypeInfo(dtype).itemSize]);
}

/** Chunks of all levels. */
export function chunksOf({ levels }: ChunkTarget): number {
  return levels.reduce((sum, { counts }) => sum + sizeOf(counts), 0);
}

/** The files of a run. */
interface StoreFiles {
  /** Path of the result, for messages. */
  readonly path: string;
  /** The files for halves; none: they come with their chunks. */
  readonly halves: readonly string[];
  /** The file to which workers write; absent: chunks come with their bytes. */
  readonly file?: string;
}

/** Chunks of a target, by their numbers in its order: half-open. */
export interface ChunkRange {
  /** The first. */
  readonly first: number;
  /** One past the last. Default: all. */
  readonly stop?: number;
}

/** Who takes chunks; the bytes are valid until it resolves. */
export type TakeChunk = (chunk: EncodedChunk) => Promise<void> | void;

/** Who takes blocks of samples; they are valid until it resolves. */
export type TakeBlock = (block: MapBlock) => Promise<void>;

/** Makes chunks, and gives them to `take` in the order of the target; `see` takes the blocks of plans {@link inRows}. */
export async function makeChunks(
  plan: MapPlan,
  runner: Runner<TileProgress>,
  target: ChunkTarget,
  range: ChunkRange,
  files: StoreFiles,
  take: TakeChunk,
  see?: TakeBlock,
): Promise<void> {
  const { memory: { workers }, views: { array } } = plan;
  const perTask = chunksPerTask(plan, target), room = chunkBytes(target, plan.dtype);
  const placement = await runner.enter((leases) => ({
    ...placementOf(plan, leases),
    encoded: leases.many(aheadOf(workers), perTask * room, "encoded chunks"),
  }), sourcesOfArray(array));
  const executor = executorOf(plan);
  const job = storeJobOf(plan, placement, target, files, jobOf(plan, placement, executor));
  const facts = { ...range, perTask, perTile: perTileOf(plan, target) };
  const isWritten = files.file !== undefined;
  const rows = see && new BlocksUnderWay(placement.blocks, plan);
  const feed = new Feed(target, { ...facts, plain: isWritten ? room : undefined }, placement.encoded, rows);
  try {
    const results = runner.results<StoreShared, StoreTask, MadeChunks>(executor, job, feed.tasks());
    const order = new InOrder<MadeChunks>();
    for await (const { index, value } of results) {
      feed.made();
      for (const block of rows?.finish(index) ?? []) await see!(block);
      for (const [, made] of order.put(index, value)) {
        for (const chunk of chunksIn(made, feed.next().bytes(), isWritten ? undefined : room)) {
          await take(chunk);
        }
        feed.written();
      }
    }
  } finally {
    feed.end();
  }
}

function storeJobOf(
  plan: MapPlan,
  { blocks }: MapPlacement,
  target: ChunkTarget,
  { path, halves, file }: StoreFiles,
  map: ReturnType<typeof jobOf>,
): Job<StoreShared> {
  const { dtype } = plan;
  const { chunk, levels, reduction, steps, sparse } = target;
  const { sources = [], modules = [], traffic } = map;
  const places = blocks.map(({ offset }) => offset);
  const room = chunkBytes(target, dtype);
  const perTile = perTileOf(plan, target);
  const facts = { dtype, chunk, levels, reduction, halves, path, perTile, ...(file ? { file } : {}) };
  return {
    ...JOB,
    export: "storeJob",
    shared: { ...facts, map: map.shared, places, steps, sparse, room },
    traffic: {
      reads: traffic?.reads ?? [],
      of: ({ place, indices }: StoreTask) => {
        return {
          reads: [],
          writes: file ? [] : [{ offset: place, bytes: room * indices.length / chunk.length }],
        };
      },
    },
    sources,
    modules,
    files: file ? [...halves, file] : halves,
  };
}

/**
 * The plan with as many of its workers as there is memory for their chunks. Errors: `invalid` for plans whose tiles are not chunks
 * of the target, `over-budget` where the context has too little memory for the fewest.
 */
export function suited(plan: MapPlan, target: ChunkTarget): MapPlan {
  const { chunk, levels } = target;
  const { blocks, shape } = plan;
  const per = perTileOf(plan, target);
  const tile = chunk.map((n, d) => Math.min(n * per[d]!, shape[d]!));
  const order = { ...target, counts: levels[0]!.counts };
  const suits = blocks.kind === "tiles" && sameShape(blocks.shape, tile) && followEachOther(order, per);
  if (suits && sameShape(levels[0]!.shape, shape)) return fitting(plan, target);
  const text = `Cannot store ${showShape(shape)} samples in chunks of ${showShape(chunk)}: the plan gives ` +
    `${blocks.kind} of ${showShape(blocks.shape)}; give { blocks: "tiles", tile: [${
      chunk.join(", ")
    }] } to planMap()`;
  throw new TilewiseError("invalid", text, { option: "tile", expected: showShape(chunk) });
}

/** With fewer workers, if that is needed. */
function fitting(plan: MapPlan, target: ChunkTarget): MapPlan {
  const { memory, context } = plan;
  const limits = insideOf(context);
  const least = Math.min(limits.leastWorkers, memory.workers);
  for (let workers = memory.workers;; workers--) {
    const fewer = { ...plan, memory: withWorkers(plan, target, workers) };
    if (fits(fewer.memory, limits)) return fewer;
    if (workers > least) continue;
    const problem = `Cannot store chunks of ${showShape(target.chunk)} ${plan.dtype}`;
    throw overBudget(problem, fewer.memory, limits, "smaller chunks, or ");
  }
}

/** What a run in chunks takes with so many of its workers: each has a block of its own. */
function withWorkers(plan: MapPlan, target: ChunkTarget, workers: number): MapPlan["memory"] {
  const { memory } = plan;
  const copies = Math.ceil(memory.copies * workers / Math.max(1, memory.workers));
  return withChunks(plan, target, { ...memory, workers, blocks: workers, copies });
}

/** The same with the chunks of the target. */
function withChunks(plan: MapPlan, target: ChunkTarget, sizes: MapPlan["memory"]): MapPlan["memory"] {
  const { dtype, blocks: layout } = plan, { workers } = sizes;
  const each = chunkBytes(target, dtype), perTask = chunksPerTask({ ...plan, memory: sizes }, target);
  const held = account([
    ...holdingsOf(sizes, layout),
    { what: "encoded chunks", each: each * perTask, count: aheadOf(workers) },
    { what: "chunks that workers encode", each, count: workers * COPIES, onHeap: true },
  ]);
  return { ...sizes, ...held };
}

/** Bytes of a band that are held: of larger ones, rows of tiles are. */
const BAND_BYTES = 2 ** 24;

/**
 * The plan with tiles in bands or rows, as many as there are between the first that is computed and the last that is seen, so that the
 * samples of the result come by. `undefined` where the budget has no room for them, as chunks may be high, and shards hold several
 * rows of these; and where workers share no memory with this thread.
 */
export function inRows(plan: MapPlan, target: ChunkTarget): MapPlan | undefined {
  const { dtype, context, memory } = plan, { workers } = memory;
  if (executorOf(plan).memory === "own") return undefined;
  const bands = blocksOf(plan.blocks.grid, "bands"), per = perTileOf(plan, target);
  const isSmall = sizeOf([...bands.shape, dtypeInfo(dtype).itemSize]) <= BAND_BYTES;
  const blocks = isSmall ? bands : rowsOfTiles(plan.blocks.grid);
  const open = mostOpen(blocks, { name: target.kind, known: true, tiles: () => tilesIn(target, per) });
  const inBands = { ...plan, blocks };
  const held = withChunks(inBands, target, { ...memory, ...blocksFor({ blocks, open, dtype }, workers, 1) });
  return fits(held, insideOf(context)) ? { ...inBands, memory: held } : undefined;
}

/** The tiles of so many chunks, in the order of the target. */
function* tilesIn(target: ChunkTarget, per: Shape): Generator<Shape> {
  let last: Shape | undefined;
  for (const { level, index } of target.places()) {
    if (level > 0) return;
    const tile = tileOfChunk(index, per);
    if (!last || !sameShape(tile, last)) yield last = tile;
  }
}
