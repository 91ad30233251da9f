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

import { fits, overBudget } from "../../memory/account.ts";
import { checkOptionNames } from "../../options.ts";
import { displayable } from "../../pictures/displayable.ts";
import { insideOf } from "../../runner/context.ts";
import { notCut } from "../../runner/plan.ts";
import type { Hypercube } from "../cube/cube.ts";
import { chunkCount, type Stride } from "../cube/iterate.ts";
import type { TilePlan } from "./cube_plan.ts";
import { explain, planBundle } from "./explain.ts";
import { type CubePlanOptions, PLAN_OPTIONS, strategyOf } from "./options.ts";
import { FINDERS, type Found, type Room } from "./strategies.ts";
import { proveTiles } from "./proof.ts";
import { bytesOfTiles, cubeMemory, holdersOf } from "./tile_bytes.ts";
import { tileCut } from "./tile_cut.ts";

export type { TilePlan } from "./cube_plan.ts";
export type { CubePlanOptions, PlanStrategy } from "./options.ts";

/** The plan of the tiles of `cube`, without its run; `planTiles()` is its public name. */
export function tilePlan(cube: Hypercube, options: CubePlanOptions = {}): TilePlan {
  checkOptionNames("planTiles()", options, PLAN_OPTIONS);
  const { inFlight = 4, reserve = 0 } = options;
  const strategy = strategyOf(options);
  const context = insideOf(options.context);
  const budget = Math.max(0, context.arenaBudget - reserve);
  const room: Room = { budget, inFlight, holders: holdersOf(context) };
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
): TilePlan {
  const { inFlight = 4 } = options;
  const context = insideOf(options.context);
  const room: Room = { budget: context.arenaBudget, inFlight, holders: holdersOf(context) };
  return planOf({ cube, strides, steps: [] }, room, { strategy: "joint", context });
}

function planOf(found: Found, room: Room, facts: Pick<TilePlan, "strategy" | "context">): TilePlan {
  const { inFlight } = room;
  const tiles = chunkCount(found.cube, ...found.strides);
  proveTiles(found.cube, found.strides);
  const plan = { ...found, ...facts, tiles, inFlight, ...memoryOf(found, room) };
  const shown = () => explain(plan);
  const parts = plan.strategy === "montblanc" ? notCut : () => Promise.resolve(tileCut(plan).units.length);
  return displayable({ ...plan, parts, explain: shown }, { line: shown, bundle: () => planBundle(plan) });
}

/** The memory of a run; `over-budget`, with the sum, if there is not as much. */
function memoryOf({ cube, strides }: Found, room: Room) {
  const arrays = bytesOfTiles(cube, strides.map(([name]) => name));
  const extents = strides.map(([, extent]) => extent);
  const { once, each, onceBytes } = arrays;
  const tileBytes = arrays.tileBytes(extents);
  const memory = cubeMemory({ onceBytes, tileBytes, inFlight: room.inFlight }, room.holders);
  const limits = { memory: room.budget, arenaBudget: room.budget };
  if (!fits(memory, limits)) {
    const cut = strides.map(([name, n]) => n === 1 ? name : `${n} ${name}`).join(", ") || "nothing";
    const tiles = extents.every((n) => n === 1) ? "one sample of" : "tiles of";
    const instead = "fewer tiles in flight, more tiled dimensions, or ";
    throw overBudget(`Cannot tile the cube with ${tiles} ${cut}`, memory, limits, instead);
  }
  return { once, each, onceBytes, tileBytes, memory, moved: arrays.moved(extents) };
}
