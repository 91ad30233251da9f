/**
 * The memory of an operation over views, added up before anything is read.
 *
 * Each worker has one view, what it takes to read it, and the scratch memory of the operation. Results are made in blocks; a
 * few blocks are under way at a time.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type Context, workersFor } from "../../runner/context.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { BlockLayout } from "./blocks.ts";
import type { ViewLayout } from "../plan.ts";

/**
 * The memory of an operation over views, in bytes.
 * @category Views
 */
export interface MapMemory {
  /** Views that are loaded at a time. */
  readonly workers: number;
  /** What each of them takes: a view, what reads it, and the scratch memory of the operation. */
  readonly slab: number;
  /** Blocks of the result that are under way at a time. */
  readonly blocks: number;
  /** Bytes of a full block. */
  readonly block: number;
  /** Everything. */
  readonly total: number;
}

/** One way to cut an array into tiles, and what follows from it. */
export interface MapChoice {
  /** The views. */
  readonly views: ViewLayout;
  /** The blocks of the result. */
  readonly blocks: BlockLayout;
  /** How many blocks are under way, at least, where one tile is computed after the other. */
  readonly open: number;
  /** Bytes of scratch memory per worker, part by part. */
  readonly scratch: readonly number[];
  /** Type of the result. */
  readonly dtype: DType;
}

/**
 * The first of `choices` that fits the context, and its memory: where the budget does not do, the later choices, then fewer
 * blocks, then fewer workers. `over-budget` when one of each is too much.
 */
export function fitting<C extends MapChoice>(
  name: string,
  choices: readonly C[],
  context: Context,
  most: number,
): { readonly choice: C; readonly memory: MapMemory } {
  const tiles = Math.max(...choices.map(({ views }) => sizeOf(views.grid.counts)));
  const least = Math.min(context.leastWorkers, most);
  for (let n = Math.min(workersFor(context, tiles), most); n >= least; n--) {
    for (const ahead of n === least ? [1, 0] : [1]) {
      for (const choice of choices) {
        const memory = memoryOf(choice, n, ahead);
        if (memory.total <= context.arenaBudget) return { choice, memory };
      }
    }
  }
  throw overBudget(name, choices.at(-1)!, least, context.arenaBudget);
}

/** The memory for as many blocks as keep `workers` busy, and `ahead` more for the caller to look at meanwhile. */
function memoryOf(choice: MapChoice, workers: number, ahead: number): MapMemory {
  const { views: { byteLength, readerBytes }, blocks: layout, open, scratch, dtype } = choice;
  const pieces = [byteLength, ...scratch, readerBytes].map((bytes) => roundUp(bytes, ALIGNMENT));
  const slab = pieces.reduce((sum, bytes) => sum + bytes, 0);
  const busy = open - 1 + Math.ceil(workers / Math.max(1, layout.tiles)) + ahead;
  const blocks = Math.min(Math.max(1, sizeOf(layout.counts)), busy);
  const bytes = sizeOf([...layout.shape, dtypeInfo(dtype).itemSize]);
  const block = roundUp(Math.max(1, bytes), ALIGNMENT);
  return { workers, slab, blocks, block, total: workers * slab + blocks * block };
}

function overBudget(name: string, choice: MapChoice, workers: number, budget: number): TilewiseError {
  const { views: { array, grid }, blocks: { kind } } = choice;
  const { slab, blocks, block, total } = memoryOf(choice, workers, 0);
  const threads = workers === 1 ? "one worker" : `${workers} workers`;
  const places = blocks === 1 ? `one ${kind.slice(0, -1)}` : `${blocks} ${kind}`;
  const text =
    `Cannot run ${name} over ${showShape(array.shape)} ${array.dtype} in ${formatBytes(budget)}: with ` +
    `${threads} and ${places} of tiles of ${showShape(grid.tile)} it needs ${formatBytes(total)} = ` +
    `${formatBytes(workers * slab)} for views + ${
      formatBytes(blocks * block)
    } for ${kind} of the result; use ` +
    "smaller tiles, or a context with more memory";
  return new TilewiseError("over-budget", text, { option: "memory", expected: total, found: budget });
}
