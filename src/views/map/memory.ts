/**
 * The memory of an operation over views, added up before anything is read.
 *
 * Each worker has one view, the memory to read it, and the scratch memory of the operation. Results are made in blocks,
 * of which a few are in progress at a time.
 *
 * @module
 */

import { bytesSent } from "../../dataset/sources.ts";
import { TilewiseError } from "../../errors.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type Context, workersFor } from "../../runner/context.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { BlockLayout } from "./blocks.ts";
import { readSourcesOf } from "../array.ts";
import type { ViewLayout } from "../plan.ts";

/**
 * The memory of an operation over views, in bytes.
 * @category Views
 */
export interface MapMemory {
  /** Views that are loaded at the same time. */
  readonly workers: number;
  /** Bytes per worker: a view, its reader, and the scratch memory of the operation. */
  readonly slab: number;
  /** Blocks of the result that are in progress at the same time. */
  readonly blocks: number;
  /** Bytes of a full block. */
  readonly block: number;
  /** Copies of blocks, and of samples in memory, in workers that share no memory with this thread. */
  readonly copies: number;
  /** The sum of all of these. */
  readonly total: number;
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
}

/** Where an operation runs. */
export interface MapPlace {
  /** The context. */
  readonly context: Context;
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
  const tiles = Math.max(...choices.map(({ views }) => sizeOf(views.grid.counts)));
  const least = Math.min(context.leastWorkers, most);
  for (let n = Math.min(workersFor(context, tiles), most); n >= least; n--) {
    for (const ahead of n === least ? [1, 0] : [1]) {
      for (const choice of choices) {
        const memory = memoryOf(choice, n, ahead, own);
        if (memory.total <= context.arenaBudget) return { choice, memory };
      }
    }
  }
  throw overBudget(name, choices.at(-1)!, memoryOf(choices.at(-1)!, least, 0, own), context.arenaBudget);
}

/** The memory for enough blocks to keep `workers` busy, plus `ahead` blocks for the caller to process at the same time. */
function memoryOf(choice: MapChoice, workers: number, ahead: number, own: boolean): MapMemory {
  const { views: { array, byteLength, readerBytes }, blocks: layout, open, scratch, dtype } = choice;
  const pieces = [byteLength, ...scratch, readerBytes].map((bytes) => roundUp(bytes, ALIGNMENT));
  const slab = pieces.reduce((sum, bytes) => sum + bytes, 0);
  const busy = open - 1 + Math.ceil(workers / Math.max(1, layout.tiles)) + ahead;
  const blocks = Math.min(Math.max(1, sizeOf(layout.counts)), busy);
  const bytes = sizeOf([...layout.shape, dtypeInfo(dtype).itemSize]);
  const block = roundUp(Math.max(1, bytes), ALIGNMENT);
  const copies = own ? workers * (blocks * block + roundUp(bytesSent(readSourcesOf(array)), ALIGNMENT)) : 0;
  return { workers, slab, blocks, block, copies, total: workers * slab + blocks * block + copies };
}

function overBudget(name: string, choice: MapChoice, memory: MapMemory, budget: number): TilewiseError {
  const { views: { array, grid }, blocks: { kind } } = choice;
  const { workers, slab, blocks, block, copies, total } = memory;
  const threads = workers === 1 ? "one worker" : `${workers} workers`;
  const places = blocks === 1 ? `one ${kind.slice(0, -1)}` : `${blocks} ${kind}`;
  const sum = [
    `${formatBytes(workers * slab)} for views`,
    `${formatBytes(blocks * block)} for ${kind} of the result`,
    ...(copies > 0 ? [`${formatBytes(copies)} for their copies in processes`] : []),
  ].join(" + ");
  const text =
    `Cannot run ${name} over ${showShape(array.shape)} ${array.dtype} in ${formatBytes(budget)}: with ` +
    `${threads} and ${places} of tiles of ${showShape(grid.tile)} it needs ${formatBytes(total)} = ${sum}; ` +
    "use smaller tiles, or a context with more memory";
  return new TilewiseError("over-budget", text, { option: "memory", expected: total, found: budget });
}
