/**
 * Plans a box filter over an image: its tiles, and every byte it will hold.
 *
 * Each worker has one view, what it takes to read it, and the kernel's scratch. Results are made in bands, rows of tiles over the whole width,
 * so that they leave in the order of a file; a few bands are under way at a time.
 *
 * @module
 */

import { bytesInMemory } from "../dataset/storage/private_samples.ts";
import { TilewiseError } from "../errors.ts";
import { hasKernel } from "../kernels/registry.ts";
import { blockBytes } from "../memory/slab.ts";
import { ALIGNMENT, roundUp } from "../memory/arena.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { either, list, number, text } from "../options/rules.ts";
import type { Border } from "../space/border.ts";
import { type Context, defaultContext, workersFor } from "../runner/context.ts";
import { context as contextRule } from "../runner/rules.ts";
import { shapeFrom } from "../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import { type ArraySpec, checkSpec } from "./array.ts";
import { layoutOf, type ViewLayout } from "./plan.ts";

/** Options of {@link planBoxFilter}. */
export interface BoxFilterOptions {
  /** Samples on both sides that a mean takes in: one number, or rows and columns. Default 1. */
  readonly radius?: number | Shape;
  /** What is seen outside of the image. Default `edge`. */
  readonly border?: Border | string;
  /** The constant of the border `constant`. Default 0. */
  readonly fill?: number;
  /** Size of a tile. Default: up to 256 × 2048, fewer rows in a small budget. The result does not depend on it. */
  readonly tile?: Shape;
  /** Where to run: its budget and workers make the plan. Default: the context of runs that name none. */
  readonly context?: Context;
}

const FILTER_OPTIONS: OptionNames<BoxFilterOptions> = {
  radius: either("a number of samples, or rows and columns", number, list),
  border: text,
  fill: number,
  tile: shapeFrom(0, "[256, 2048]"),
  context: contextRule,
};

/** The memory of a box filter, in bytes. */
export interface FilterMemory {
  /** Views that are loaded at a time. */
  readonly workers: number;
  /** What each of them takes: a view, what reads it, and scratch for the kernel. */
  readonly slab: number;
  /** Bands of results that are under way at a time. */
  readonly bands: number;
  /** Bytes of a band. */
  readonly band: number;
  /** Copies of bands, and of samples in memory, that workers have which share no memory with this thread. */
  readonly copies: number;
  /** Everything. */
  readonly total: number;
}

/** A box filter, planned. */
export interface FilterPlan {
  /** The views it takes. */
  readonly views: ViewLayout;
  /** What it will hold, and never more. */
  readonly memory: FilterMemory;
  /** Where it runs. */
  readonly context: Context;
}

/** Rows of tiles to try, and their columns: rows of a file are read one by one, so that long ones are better. */
const TILE_ROWS = [256, 128, 64, 32];
const TILE_COLUMNS = 2048;

/**
 * Plans a box filter over `array`, which has two dimensions. Where the budget does not do, tiles have fewer rows
 * (unless their size was asked for), then fewer bands are under way, then there are fewer workers; `over-budget`, with
 * the sum, when one of each is too much.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { BytesSource } from "../io/source/bytes.ts";
 * import { createContext } from "../runner/context.ts";
 * const source = new BytesSource(new Uint8Array(400)).describe();
 * const image = { source, offset: 0, shape: [20, 20], dtype: "uint8", byteOrder: "little" } as const;
 * const context = createContext({ memory: 1000 });
 * assertThrows(() => planBoxFilter(image, { context }), Error, "one worker and one band");
 * ```
 */
export function planBoxFilter(array: ArraySpec, options: BoxFilterOptions = {}): FilterPlan {
  checkOptionNames("planBoxFilter()", options, FILTER_OPTIONS);
  checkSpec("planBoxFilter()", array);
  checkImage(array);
  const { radius = 1, border = "edge", fill = 0, context = defaultContext() } = options;
  const sizes = options.tile ? [options.tile] : defaultTiles(array.shape);
  const choices = sizes.map((tile) => layoutOf(array, { tile, radius, border, fill }));
  const tiles = Math.max(...choices.map(({ grid }) => sizeOf(grid.counts)));
  for (let n = workersFor(context, tiles); n >= context.leastWorkers; n--) {
    for (const ahead of n === context.leastWorkers ? [1, 0] : [1]) {
      for (const views of choices) {
        const memory = memoryOf(views, n, ahead, context);
        if (memory.total <= context.arenaBudget) return { views, memory, context };
      }
    }
  }
  throw overBudget(choices.at(-1)!, context);
}

function defaultTiles([height, width]: Shape): Shape[] {
  const size = (most: number, n: number | undefined) => Math.max(1, Math.min(most, n!));
  return TILE_ROWS.map((rows) => [size(rows, height), size(TILE_COLUMNS, width)]);
}

/** The memory for as many bands as keep `workers` busy, and `ahead` more for the caller to look at meanwhile. */
function memoryOf(views: ViewLayout, workers: number, ahead: number, { ownMemory }: Context): FilterMemory {
  const { grid, shape, byteLength, readerBytes } = views;
  const [down, across] = grid.counts.map((n) => Math.max(1, n)) as [number, number];
  const bands = Math.min(down, Math.ceil(workers / across) + ahead);
  const slab = roundUp(byteLength, ALIGNMENT) + blockBytes("float64", shape[1]!) +
    roundUp(readerBytes, ALIGNMENT);
  const band = roundUp(Math.max(1, 4 * Math.min(grid.tile[0]!, grid.shape[0]!) * grid.shape[1]!), ALIGNMENT);
  const copies = ownMemory ? workers * (bands * band + roundUp(sentBytes(views.array), ALIGNMENT)) : 0;
  return { workers, slab, bands, band, copies, total: workers * slab + bands * band + copies };
}

/** Samples in memory that are sent to another process: there as a message, then as a value. */
function sentBytes(array: ArraySpec): number {
  if ("layout" in array) return 2 * bytesInMemory(array.layout);
  return array.source.kind === "bytes" ? 2 * array.source.bytes.byteLength : 0;
}

function checkImage({ shape, dtype }: ArraySpec): void {
  if (shape.length !== 2) {
    const text = `Cannot filter an array of ${showShape(shape)}: a box filter takes two dimensions`;
    throw new TilewiseError("unsupported", text, { expected: 2, found: shape.length });
  }
  if (hasKernel("box_mean", dtype)) return;
  throw new TilewiseError("unsupported", `Cannot filter samples of ${dtype}: there is no kernel for them`, {
    found: dtype,
  });
}

function overBudget(views: ViewLayout, context: Context): TilewiseError {
  const { arenaBudget: budget, leastWorkers: n } = context;
  const { array, grid } = views;
  const least = memoryOf(views, n, 0, context);
  const workers = n === 1 ? "one worker" : `${n} workers`;
  const bands = least.bands === 1 ? "one band" : `${least.bands} bands`;
  const text =
    `Cannot filter ${showShape(array.shape)} ${array.dtype} in ${formatBytes(budget)}: with ${workers} ` +
    `and ${bands} of tiles of ${showShape(grid.tile)} it needs ${formatBytes(least.total)} = ` +
    `${formatBytes(n * least.slab)} for views + ${formatBytes(least.bands * least.band)} for bands${
      least.copies > 0 ? ` + ${formatBytes(least.copies)} for their copies in processes` : ""
    }; ` +
    "use smaller tiles, " +
    "or a context with more memory";
  return new TilewiseError("over-budget", text, { option: "memory", expected: least.total, found: budget });
}
