/**
 * The plan of a cube: finds the tile whose arrays fit the byte budget, before any work.
 *
 * A run holds `once + inFlight × tile` bytes: inputs that do not depend on a cut dimension exist once, all other arrays
 * once per tile in flight. Tiles in flight are filled, computed and delivered at the same time, so that
 * workers compute while sources and sinks work. Workers that share no memory with this thread, which are processes, hold a
 * copy of all of it.
 *
 * Besides the budget there is a size above which a tile brings no gain: 8 MiB, unless larger tiles let sources and sinks
 * move much less. A large budget therefore does not lead to one tile for one worker. The number of threads has no influence: the tiles
 * depend only on the cube and the budget. (Copies for processes are part of the budget.)
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames } from "../../options.ts";
import { displayable } from "../../pictures/displayable.ts";
import { insideOf } from "../../runner/face.ts";
import { formatBytes } from "../../space/size.ts";
import type { Hypercube } from "../cube/cube.ts";
import { chunkCount, type Stride } from "../cube/iterate.ts";
import type { CubePlan } from "./cube_plan.ts";
import { explain, planBundle } from "./explain.ts";
import { type CubePlanOptions, PLAN_OPTIONS, strategyOf } from "./options.ts";
import { FINDERS, type Found, type Room } from "./strategies.ts";
import { proveTiles } from "./proof.ts";
import { bytesOfTiles } from "./tile_bytes.ts";

export type { CubePlan } from "./cube_plan.ts";
export type { CubePlanOptions, PlanStrategy } from "./options.ts";

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
export function planTiles(cube: Hypercube, options: CubePlanOptions = {}): CubePlan {
  checkOptionNames("planTiles()", options, PLAN_OPTIONS);
  const { inFlight = 4, reserve = 0 } = options;
  const strategy = strategyOf(options);
  const context = insideOf(options.context);
  const budget = Math.max(0, context.arenaBudget - reserve);
  const room: Room = { budget, inFlight, holders: 1 + (context.ownMemory ? context.workers : 0) };
  return planOf(FINDERS[strategy](cube, options, room), room, { strategy, context });
}

/**
 * The plan of a cube whose tiles were chosen before, such as on another machine; `over-budget`, with the sum, if they do not
 * fit here.
 */
export function planTilesAs(
  cube: Hypercube,
  strides: readonly Stride[],
  options: Pick<CubePlanOptions, "context" | "inFlight">,
): CubePlan {
  const { inFlight = 4 } = options;
  const context = insideOf(options.context);
  const holders = 1 + (context.ownMemory ? context.workers : 0);
  const room: Room = { budget: context.arenaBudget, inFlight, holders };
  return planOf({ cube, strides, steps: [] }, room, { strategy: "joint", context });
}

function planOf(found: Found, room: Room, facts: Pick<CubePlan, "strategy" | "context">): CubePlan {
  const { budget, inFlight } = room;
  const tiles = chunkCount(found.cube, ...found.strides);
  proveTiles(found.cube, found.strides);
  const plan = { ...found, ...facts, tiles, inFlight, ...memoryOf(found, room), budget };
  const shown = () => explain(plan);
  return displayable({ ...plan, explain: shown }, { line: shown, bundle: () => planBundle(plan) });
}

/** The memory of a run; `over-budget`, with the sum, if there is not as much. */
function memoryOf({ cube, strides }: Found, room: Room) {
  const arrays = bytesOfTiles(cube, strides.map(([name]) => name));
  const extents = strides.map(([, extent]) => extent);
  const { once, each, onceBytes } = arrays;
  const tileBytes = arrays.tileBytes(extents);
  const held = onceBytes + room.inFlight * tileBytes;
  const bytes = room.holders * held;
  if (bytes > room.budget) throw overBudget(room, tileBytes, onceBytes, strides);
  return { once, each, onceBytes, tileBytes, copies: bytes - held, bytes, moved: arrays.moved(extents) };
}

function overBudget(
  { budget, holders, inFlight }: Room,
  tile: number,
  once: number,
  strides: readonly Stride[],
): TilewiseError {
  const sum = holders * (once + inFlight * tile);
  const cut = strides.map(([name, n]) => n === 1 ? name : `${n} ${name}`).join(", ");
  const copies = holders > 1 ? `, in ${holders} copies (this thread and ${holders - 1} processes),` : "";
  const text = `Cannot tile the cube in ${formatBytes(budget)}: with ` +
    `${strides.every(([, n]) => n === 1) ? "one sample of " : "tiles of "}${cut || "nothing"}, ` +
    `${inFlight} tiles of ${formatBytes(tile)} and ${formatBytes(once)} of arrays that are not tiled` +
    `${copies} need ${
      formatBytes(sum)
    }; a larger budget, fewer tiles in flight or more tiled dimensions would work`;
  return new TilewiseError("over-budget", text, { option: "memory", expected: sum, found: budget });
}
