/**
 * The memory of an operation over views, added up before anything is read.
 *
 * Each worker has one view, the memory to read it, and the scratch memory of the operation. Results are made in blocks,
 * of which a few are in progress at a time.
 *
 * @module
 */

import { bytesSent } from "../../dataset/sources.ts";
import { account, fits, type Holding, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type RunContext, workersFor } from "../../runner/context.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import type { BlockLayout } from "./blocks.ts";
import { readSourcesOf } from "../array.ts";
import { bytesOfStore, type ChunkPlan } from "../chunk_plan.ts";
import type { ViewLayout } from "../plan.ts";

/**
 * The memory of an operation over views, in bytes.
 * @category Views
 */
export interface MapMemory extends MemoryAccount {
  /** Views that are loaded at the same time. */
  readonly workers: number;
  /** Bytes per worker: a view, its reader, and the scratch memory of the operation. */
  readonly slab: number;
  /** Blocks of the result that are in progress at the same time. */
  readonly blocks: number;
  /** Bytes of a full block. */
  readonly block: number;
  /** Decoded chunks of the file that workers share: how many. */
  readonly chunks: number;
  /** Bytes for them. */
  readonly store: number;
  /** Copies of blocks, of decoded chunks, and of samples in memory, in workers that share no memory with this thread. */
  readonly copies: number;
}

/** One way to cut an array into tiles, and its consequences. */
export interface MapChoice {
  /** The views. */
  readonly views: ViewLayout;
  /** The blocks of the result. */
  readonly blocks: BlockLayout;
  /** Number of blocks that are in progress, at least, if tiles are computed one after another. */
  readonly open: number;
  /** Bytes of scratch memory per worker, part by part. */
  readonly scratch: readonly number[];
  /** Type of the result. */
  readonly dtype: DType;
  /** What reading takes, if the array is read chunk by chunk. */
  readonly chunks?: ChunkPlan;
}

/** Where an operation runs. */
interface MapPlace {
  /** The context. */
  readonly context: RunContext;
  /** Whether it runs on the calling thread. */
  readonly here: boolean;
}

/**
 * The first of `choices` that fits the context, and its memory. If the budget is too small, tries the later choices,
 * then fewer blocks, then fewer workers; `over-budget` if one of each does not fit.
 */
export function fitting<C extends MapChoice>(
  name: string,
  choices: readonly C[],
  { context, here }: MapPlace,
): { readonly choice: C; readonly memory: MapMemory } {
  const most = here ? 1 : Infinity;
  const own = context.ownMemory && !here;
  const alone = here || context.workers === 0; // one thread computes, or takes blocks: never both at the same time
  const tiles = Math.max(...choices.map(({ views }) => sizeOf(views.grid.counts)));
  const least = Math.min(context.leastWorkers, most);
  for (let n = Math.min(workersFor(context, tiles), most); n >= least; n--) {
    for (const ahead of alone ? [0] : n === least ? [1, 0] : [1]) {
      for (const choice of choices) {
        for (const chunks of storesOf(choice, context.arenaBudget, n)) {
          const memory = memoryOf(choice, { workers: n, ahead, own, chunks });
          if (fits(memory, context)) return { choice, memory };
        }
      }
    }
  }
  const last = choices.at(-1)!;
  const chunks = last.chunks?.least ?? 0;
  const { views: { array, grid } } = last;
  const problem = `Cannot run ${name} over ${showShape(array.shape)} ${array.dtype} with tiles of ${
    showShape(grid.tile)
  }`;
  const memory = memoryOf(last, { workers: least, ahead: 0, own, chunks });
  throw overBudget(problem, memory, context, "smaller tiles, or ");
}

/** Part of the budget that decoded chunks may take where it has no room for all that are needed again. */
const STORE_PART = 1 / 3;

/** How many decoded chunks to hold: all that are needed again; else as many as a part of the budget holds; else few. */
function storesOf({ chunks }: MapChoice, budget: number, workers: number): number[] {
  if (!chunks) return [0];
  const least = Math.min(chunks.most, chunks.least + workers);
  const room = Math.floor(budget * STORE_PART / Math.max(1, chunks.chunk));
  const all = chunks.most + workers + (workers - 1) * chunks.ahead;
  return [...new Set([Math.max(least, all), Math.max(least, Math.min(all, room)), least])];
}

/** How many of everything there are. */
interface Numbers {
  readonly workers: number;
  /** Blocks for the caller to process at the same time. */
  readonly ahead: number;
  /** Whether workers have memory of their own. */
  readonly own: boolean;
  /** Decoded chunks that are held. */
  readonly chunks: number;
}

/** The memory for enough blocks to keep `workers` busy, plus `ahead` blocks for the caller to process at the same time. */
function memoryOf(choice: MapChoice, { workers, ahead, own, chunks }: Numbers): MapMemory {
  const { views: { array, byteLength, readerBytes }, blocks: layout, scratch } = choice;
  const reader = choice.chunks?.reader ?? readerBytes;
  const pieces = [byteLength, ...scratch, reader].map((bytes) => roundUp(bytes, ALIGNMENT));
  const slab = pieces.reduce((sum, bytes) => sum + bytes, 0);
  const { blocks, block } = blocksFor(choice, workers, ahead);
  const store = choice.chunks ? bytesOfStore(choice.chunks, chunks) : 0;
  const copied = blocks * block + store + roundUp(bytesSent(readSourcesOf(array)), ALIGNMENT);
  const sizes = { workers, slab, blocks, block, chunks, store, copies: own ? workers * copied : 0 };
  return { ...sizes, ...account(holdingsOf(sizes, layout)) };
}

/** Blocks that are in progress at the same time, and the bytes of one. */
export function blocksFor(
  { blocks: layout, open, dtype }: Pick<MapChoice, "blocks" | "open" | "dtype">,
  workers: number,
  ahead: number,
): Pick<MapMemory, "blocks" | "block"> {
  const busy = open - 1 + Math.ceil(workers / Math.max(1, layout.tiles)) + ahead;
  const blocks = Math.min(Math.max(1, sizeOf(layout.counts)), busy);
  const bytes = sizeOf([...layout.shape, dtypeInfo(dtype).itemSize]);
  return { blocks, block: roundUp(Math.max(1, bytes), ALIGNMENT) };
}

/** What a run over views holds. */
export function holdingsOf(
  { workers, slab, blocks, block, chunks, store, copies }: Omit<MapMemory, keyof MemoryAccount>,
  { kind }: Pick<BlockLayout, "kind">,
): Holding[] {
  return [
    { what: "views and what works on them", each: slab, count: workers },
    { what: `${kind} of the result`, each: block, count: blocks },
    { what: `${chunks} decoded chunks, which workers share`, each: store, count: 1 },
    { what: "copies in processes", each: copies, count: 1 },
  ];
}
