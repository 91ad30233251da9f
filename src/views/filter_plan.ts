/**
 * Plans a box filter over an image: its tiles, and every byte it will hold.
 *
 * Each worker has one view and the kernel's scratch. Results are made in bands, rows of tiles over the whole width,
 * so that they leave in the order of a file; a few bands are under way at a time.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { hasKernel } from "../kernels/registry.ts";
import { blockBytes } from "../memory/slab.ts";
import { ALIGNMENT, roundUp } from "../memory/arena.ts";
import type { Border } from "../space/border.ts";
import { type Shape, showShape } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import { type ArraySpec, planViews, type ViewPlan } from "./plan.ts";

/** Options of {@link planBoxFilter}. */
export interface BoxFilterOptions {
  /** Samples on both sides that a mean takes in: one number, or rows and columns. Default 1. */
  readonly radius?: number | Shape;
  /** What is seen outside of the image. Default `edge`. */
  readonly border?: Border | string;
  /** The constant of the border `constant`. Default 0. */
  readonly fill?: number;
  /** Size of a tile. Default 256 × 1024, or the image where it is smaller. The result does not depend on it. */
  readonly tile?: Shape;
  /** Tasks at a time; 1 for the calling thread. Default 1. The result does not depend on it. */
  readonly workers?: number;
  /** Most bytes to hold. Default 64 MiB. */
  readonly budget?: number;
}

/** The memory of a box filter, in bytes. */
export interface FilterMemory {
  /** Views that are loaded at a time. */
  readonly workers: number;
  /** What each of them takes: a view, and scratch for the kernel. */
  readonly slab: number;
  /** Bands of results that are under way at a time. */
  readonly bands: number;
  /** Bytes of a band. */
  readonly band: number;
  /** Everything. */
  readonly total: number;
}

/** A box filter, planned. */
export interface FilterPlan {
  /** The views it takes. */
  readonly views: ViewPlan;
  /** What it will hold, and never more. */
  readonly memory: FilterMemory;
  /** The limit it was planned for. */
  readonly budget: number;
}

const TILE = [256, 1024] as const;

/**
 * Plans a box filter over `array`, which has two dimensions. Where the budget does not do for all workers and for
 * bands ahead, there are fewer; `over-budget`, with the sum, when one of each is too much.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { BytesSource } from "../io/bytes.ts";
 * const source = new BytesSource(new Uint8Array(400)).describe();
 * const image = { source, offset: 0, shape: [20, 20], dtype: "uint8", byteOrder: "little" } as const;
 * assertThrows(() => planBoxFilter(image, { budget: 1000 }), Error, "one worker and one band");
 * ```
 */
export function planBoxFilter(array: ArraySpec, options: BoxFilterOptions = {}): FilterPlan {
  checkImage(array);
  const { radius = 1, border = "edge", fill = 0, workers = 1, budget = 64 * 2 ** 20 } = options;
  if (!Number.isSafeInteger(workers) || workers < 1) {
    throw new TilewiseError("invalid", `Cannot filter with ${workers} workers; give a count from 1`);
  }
  const tile = options.tile ?? TILE.map((n, d) => Math.max(1, Math.min(n, array.shape[d]!)));
  const views = planViews(array, { tile, radius, border, fill });
  const across = Math.max(1, views.grid.counts[1]!);
  const ahead = Math.ceil(workers / across) + 1;
  for (let n = workers; n >= 1; n--) {
    for (const bands of n === 1 ? [ahead, 2, 1] : [ahead, 2]) {
      const memory = memoryOf(views, n, Math.min(bands, Math.max(1, views.grid.counts[0]!)));
      if (memory.total <= budget) return { views, memory, budget };
    }
  }
  throw overBudget(views, memoryOf(views, 1, 1), budget);
}

function memoryOf(views: ViewPlan, workers: number, bands: number): FilterMemory {
  const { grid, shape, byteLength } = views;
  const slab = roundUp(byteLength, ALIGNMENT) + blockBytes("float64", shape[1]!);
  const band = roundUp(Math.max(1, 4 * Math.min(grid.tile[0]!, grid.shape[0]!) * grid.shape[1]!), ALIGNMENT);
  return { workers, slab, bands, band, total: workers * slab + bands * band };
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

function overBudget({ array, grid }: ViewPlan, least: FilterMemory, budget: number): TilewiseError {
  const text =
    `Cannot filter ${showShape(array.shape)} ${array.dtype} in ${formatBytes(budget)}: with one worker ` +
    `and one band of tiles of ${showShape(grid.tile)} it needs ${formatBytes(least.total)} = ` +
    `${formatBytes(least.slab)} for a view + ${formatBytes(least.band)} for a band; use smaller tiles`;
  return new TilewiseError("over-budget", text, { expected: least.total, found: budget });
}
