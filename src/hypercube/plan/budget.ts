/**
 * The plan of a cube: finds the tile whose arrays fit the byte budget, before any work.
 *
 * A run holds `once + inFlight × tile` bytes: inputs without a tiled dimension exist once, all other arrays once per
 * tile in flight. The first tile is the whole cube. While it is too large, the tiled dimensions are cut in the order in
 * which they are named, each to the largest extent that fits, or to one sample. Then each dimension is enlarged again
 * if there is room, and made even: 10 in tiles of 9 becomes 5 and 5.
 *
 * Besides the budget there is a size above which a tile brings no gain: 8 MiB, or the least tile if that is larger. A
 * large budget therefore does not lead to one tile for one worker. The number of workers has no influence: the tiles
 * depend only on the cube and the budget.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { blockBytes } from "../../memory/slab.ts";
import { checkOptionNames, type OptionNames, withOption } from "../../options.ts";
import { list, needed, whole } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/face.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import { chunkCount, type Stride } from "../cube/iterate.ts";

/**
 * Limits of a plan.
 * @category Hypercubes
 */
export interface CubePlanOptions {
  /** The context in which to run; its budget determines the tiles. Default: the shared context. */
  readonly context?: Context;
  /** The dimensions that may be cut, in this order; the first one is also the slowest of the iteration. */
  readonly tile: readonly string[];
  /** Tiles that are filled, computed and delivered at the same time; workers beyond this number stay idle. Default 4. */
  readonly inFlight?: number;
  /** Bytes of the budget to leave free, for merged outputs and scratch of kernels. Default 0; runs of a cube find it themselves. */
  readonly reserve?: number;
}

const PLAN_OPTIONS: OptionNames<CubePlanOptions> = {
  context: contextRule,
  tile: needed(list),
  inFlight: true,
  reserve: whole(),
};

/**
 * Tiles of a cube, and their memory.
 * @category Hypercubes
 */
export interface CubePlan {
  /** The cube. */
  readonly cube: Hypercube;
  /** The tiled dimensions and the extent of a full tile along each. */
  readonly strides: readonly Stride[];
  /** Number of tiles. */
  readonly tiles: number;
  /** Number of tiles in flight. */
  readonly inFlight: number;
  /** Arrays that exist once: inputs without a tiled dimension. */
  readonly once: readonly string[];
  /** Arrays that exist once per tile in flight. */
  readonly each: readonly string[];
  /** Bytes of the arrays that exist once. */
  readonly onceBytes: number;
  /** Bytes of a full tile. */
  readonly tileBytes: number;
  /** Bytes of copies, included in `bytes`, in workers that share no memory with this thread. */
  readonly copies: number;
  /** Bytes that a run leases: never more than the context has. */
  readonly bytes: number;
  /** The context in which it runs. */
  readonly context: Context;
  /** The plan as text. */
  explain(): string;
}

/** Bytes of a tile above which a larger one brings no gain. */
export const GOOD_TILE_BYTES: number = 8 * 2 ** 20;

/**
 * Plans the tiles of `cube`; `over-budget`, with the sum, if the least tile is too large.
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { ntime: 10, nchan: 64 },
 *   arrays: [{ name: "vis", shape: ["ntime", "nchan"], dtype: "complex128", role: "output" }],
 * });
 * const context = createContext({ memory: 30_000 });
 * const plan = planTiles(cube, { context, tile: ["ntime", "nchan"] });
 * assertEquals([plan.strides, plan.tiles, plan.bytes], [[["ntime", 5], ["nchan", 64]], 2, 4 * 5 * 1024]);
 * ```
 * @category Hypercubes
 */
export function planTiles(cube: Hypercube, options: CubePlanOptions): CubePlan {
  checkOptionNames("planTiles()", options, PLAN_OPTIONS);
  const { tile, inFlight = 4 } = options;
  const context = insideOf(options.context);
  const budget = Math.max(0, context.arenaBudget - (options.reserve ?? 0));
  checkTile(cube, tile, inFlight);
  const schemas = [...cube.arrays.values()];
  const isOnce = ({ role = "input", shape }: ArraySchema) =>
    role === "input" && !shape.some((axis) => tile.includes(String(axis)));
  const once = schemas.filter(isOnce).map(({ name }) => name);
  const each = schemas.filter((schema) => !isOnce(schema)).map(({ name }) => name);
  const onceBytes = arraysBytes(cube, once);
  const tileOf = (extents: readonly number[]) => arraysBytes(window(cube, tile, extents), each);
  const holders = 1 + (context.ownMemory ? context.workers : 0); // this thread, and processes
  const most = Math.floor((budget / holders - onceBytes) / inFlight);
  const sizes = tile.map((name) => Math.max(1, cube.dimension(name).size));
  const least = tileOf(sizes.map(() => 1));
  if (least > most) throw overBudget(Math.floor(budget / holders), inFlight, least, onceBytes, tile);
  const extents = largest(sizes, (some) => tileOf(some) <= Math.min(most, Math.max(GOOD_TILE_BYTES, least)));
  const strides = tile.map((name, d): Stride => [name, extents[d]!]);
  const tileBytes = tileOf(extents);
  const held = onceBytes + inFlight * tileBytes;
  const bytes = holders * held;
  const copies = bytes - held;
  const tiles = chunkCount(cube, ...strides);
  const plan = { cube, strides, tiles, inFlight, once, each, onceBytes, tileBytes, copies, bytes, context };
  return { ...plan, explain: () => explain(plan) };
}

/** Bytes of these arrays, each rounded up to whole cache lines, as slabs allocate them. */
export function arraysBytes(cube: Hypercube, names: readonly string[]): number {
  return names.reduce(
    (sum, name) => sum + blockBytes(cube.array(name).dtype, sizeOf(cube.arrayShape(name))),
    0,
  );
}

function checkTile(cube: Hypercube, tile: readonly string[], inFlight: number): void {
  const found = `${inFlight} in flight, tile ${tile.join(", ")}`;
  const refuse = (option: string) => {
    const text = `Cannot plan with ${found}; counts must be at least 1, dimensions different`;
    throw new TilewiseError("invalid", text, { option, found });
  };
  withOption("tile", () => tile.forEach((name) => cube.dimension(name)));
  if (!Number.isSafeInteger(inFlight) || inFlight <= 0) refuse("inFlight");
  if (new Set(tile).size !== tile.length) refuse("tile");
}

function window(cube: Hypercube, tile: readonly string[], extents: readonly number[]): Hypercube {
  const upper = (name: string, d: number) => Math.min(extents[d]!, cube.dimension(name).size);
  return cube.with(Object.fromEntries(tile.map((name, d) => [name, { lower: 0, upper: upper(name, d) }])));
}

/**
 * The algorithm at the top of this file: cut in order, enlarge in order, make even. If `fits` holds for some sizes, it
 * holds for all smaller ones; it holds for ones.
 */
function largest(sizes: readonly number[], fits: (extents: readonly number[]) => boolean): number[] {
  const extents = [...sizes];
  const most = (d: number) => lastThat(sizes[d]!, (n) => fits(extents.with(d, n)));
  for (let d = 0; d < sizes.length && !fits(extents); d++) extents[d] = most(d);
  for (let d = 0; d < sizes.length; d++) extents[d] = most(d);
  return extents.map((extent, d) => Math.ceil(sizes[d]! / Math.ceil(sizes[d]! / extent)));
}

/**
 * The last of 1 … n for which a condition holds, if it fails for all numbers after the first failure; 1 if it never
 * holds.
 */
function lastThat(n: number, holds: (n: number) => boolean): number {
  let [good, bad] = [1, n + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

function overBudget(
  budget: number,
  inFlight: number,
  least: number,
  once: number,
  tile: readonly string[],
): TilewiseError {
  const sum = once + inFlight * least;
  const text =
    `Cannot tile the cube in ${formatBytes(budget)}: with one sample of ${tile.join(", ") || "nothing"}, ` +
    `${inFlight} tiles of ${formatBytes(least)} and ${formatBytes(once)} of arrays that are not tiled ` +
    `need ${formatBytes(sum)}; a larger budget, fewer tiles in flight or more tiled dimensions would work`;
  return new TilewiseError("over-budget", text, { option: "memory", expected: sum, found: budget });
}

function explain(plan: Omit<CubePlan, "explain">): string {
  const { cube, strides, tiles, inFlight, once, each, onceBytes, tileBytes, copies, bytes, context } = plan;
  const cuts = strides.map(([name, n]) => `${n} of ${cube.dimension(name).size} ${name}`);
  return [
    `${tiles} tiles of ${cuts.join(" × ") || "the whole"}, ${inFlight} in flight`,
    `${formatBytes(tileBytes)} a tile: ${each.join(", ")}`,
    `${formatBytes(onceBytes)} once: ${once.join(", ") || "nothing"}`,
    ...(copies > 0 ? [`${formatBytes(copies)} for copies in other processes`] : []),
    `${formatBytes(bytes)} in all, of a budget of ${formatBytes(insideOf(context).arenaBudget)}`,
  ].join("\n");
}
