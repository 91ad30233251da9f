/**
 * What is known before the first tile: the plan, with what its run needs beside the arrays.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { insideOf, workersFor } from "../../runner/context.ts";
import { Hypercube } from "../cube/cube.ts";
import { type CubePlanOptions, type TilePlan, tilePlan } from "../plan/budget.ts";
import { memoryOf, type Ready } from "./memory.ts";
import { mergedOutputs } from "./merge.ts";
import type { CubeRunOptions } from "./options.ts";

/** How often a cube is planned again with more memory left free for merged outputs, whose sizes depend on the plan. */
const ROUNDS = 8;

/** How often it is planned again with tiles of half the size, if that did not suffice. */
const HALVES = 24;

/** The plan of a run, its merged outputs, and the kernel that was prepared for it; `memory`: what providers need. */
export async function readyFor(
  call: string,
  given: TilePlan | Hypercube,
  cube: Hypercube,
  options: CubeRunOptions,
  memory: (plan: TilePlan) => Promise<number>,
): Promise<Ready> {
  let plan = planned(call, given, cube, options);
  for (let round = 0;; round++) {
    const merged = mergedOutputs(call, plan, options.merge ?? {});
    const prepared = await options.kernel.prepare?.(plan);
    const ready = { plan, merged, beside: await memory(plan), ...defined({ prepared }) };
    const lacking = memoryOf(ready, workersOf(plan, options)).total - insideOf(plan.context).arenaBudget;
    if (lacking <= 0 || !(given instanceof Hypercube)) return ready;
    const next = smallerPlan(cube, options.plan!, plan, lacking, round);
    if (!next) return ready;
    plan = next;
  }
}

/**
 * A plan that leaves more memory free: half of what is lacking at first, as smaller tiles can need more windows. After some
 * rounds, one with smaller tiles, of which more may be in one window. Nothing after the last round.
 */
function smallerPlan(
  cube: Hypercube,
  options: CubePlanOptions,
  { memory, tileBytes, strategy, context }: TilePlan,
  lacking: number,
  round: number,
): TilePlan | undefined {
  const canHalve = strategy === "joint";
  if (round < ROUNDS) {
    const smaller = memory.total - (round < ROUNDS / 2 ? Math.ceil(lacking / 2) : lacking);
    const reserve = Math.max(0, insideOf(context).arenaBudget - Math.max(1, smaller));
    try {
      return tilePlan(cube, { ...options, reserve });
    } catch (error) {
      if (!isTilewiseError(error, "over-budget")) throw error;
    }
  }
  if (!canHalve || round >= ROUNDS + HALVES) return undefined;
  return tilePlan(cube, { ...options, largestTile: Math.max(1, Math.floor(tileBytes / 2)) });
}

/** The number of workers of a run; 0: the calling thread. */
export function workersOf({ context, inFlight, tiles }: TilePlan, { kernel }: CubeRunOptions): number {
  return kernel.here ? 0 : workersFor(insideOf(context), Math.min(inFlight, tiles));
}

/** The plan that is run. A plan that was given must be that of the cube with all updates. */
function planned(
  call: string,
  given: TilePlan | Hypercube,
  cube: Hypercube,
  options: CubeRunOptions,
): TilePlan {
  if (given instanceof Hypercube) return tilePlan(cube, options.plan!);
  const changes = cube.differences(given.cube);
  if (changes.length === 0) return given;
  const changed = changes.join("; ");
  const text =
    `${call}: providers have changed the cube, which the plan does not know: ${changed}; give the ` +
    "cube and the option plan, and the run plans after the changes";
  throw new TilewiseError("invalid", text, { option: "plan", found: changed });
}
